/// Rows whose fields are asked for by the names of the first row.
struct ImportTable {
    private var text: DelimitedText
    private var columns: [String: Int] = [:]

    /// Throws where a column that is needed has no name in the first row.
    init(_ text: DelimitedText, needs names: [String]) throws(VocabularyError) {
        self.text = text
        for (index, name) in (self.text.next()?.fields ?? []).enumerated() where columns[name.lowercased()] == nil {
            columns[name.lowercased()] = index
        }
        for name in names where columns[name.lowercased()] == nil {
            throw VocabularyError(line: 1, reason: .noColumn(name))
        }
    }

    /// The next row's fields of these columns, in their order; fields that a short row lacks are empty.
    mutating func next(_ names: String...) -> [String]? {
        guard let row = text.next() else { return nil }
        return names.map { name in
            columns[name.lowercased()].flatMap { $0 < row.fields.count ? row.fields[$0] : nil } ?? ""
        }
    }
}
