/// Rows whose fields are looked up by the names in the first row.
struct ImportTable {
    /// How fields are separated.
    enum Form {
        /// Comma-separated values.
        case commas
        /// Tab-separated values, whose quotes are text.
        case tabs
    }

    /// The longest name, title or label, in bytes.
    private static let longestText = 500

    private var text: DelimitedText
    private var columns: [String: Int] = [:]

    /// Throws if the bytes are not UTF-8, or if the first row lacks a required column.
    init(_ bytes: [UInt8], _ form: Form, needs names: [String]) throws(VocabularyError) {
        if let line = Self.lineOutsideUTF8(bytes) { throw VocabularyError(line: line, reason: .notUTF8) }
        text = form == .tabs ? .tabs(bytes) : .commas(bytes)
        for (index, name) in (text.next()?.fields ?? []).enumerated() where columns[name.lowercased()] == nil {
            columns[name.lowercased()] = index
        }
        for name in names where columns[name.lowercased()] == nil {
            throw VocabularyError(line: 1, reason: .noColumn(name))
        }
    }

    /// Calls `body` with each row's fields of these columns, in order; fields missing from a short row are empty.
    ///
    /// - Parameter body: returns why it refuses the row; `nil` if it accepts the row.
    mutating func read(
        _ names: [String], _ report: inout ImportReport, _ body: (_ fields: [String]) -> ImportReport.Reason?
    ) {
        let wanted = names.map { columns[$0.lowercased()] }
        while let row = text.next() {
            let fields = wanted.map { index in index.flatMap { $0 < row.fields.count ? row.fields[$0] : nil } ?? "" }
            report.rowCount += 1
            if let reason = row.isBroken ? .openQuote : Self.isTooLong(fields) ? .tooLong : body(fields) {
                report.refusals.append(ImportReport.Refusal(line: row.line, reason: reason))
            }
        }
    }

    private static func isTooLong(_ fields: [String]) -> Bool {
        fields.contains { field in
            field.utf8.count > longestText
                && field.utf8.split(separator: 0x0A).contains { $0.count > longestText }
        }
    }

    private static func lineOutsideUTF8(_ bytes: [UInt8]) -> Int? {
        do {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return 1 + bytes[..<min(bytes.count, error.byteOffsets.lowerBound)].count { $0 == 0x0A }
        }
    }
}

extension String {
    /// A name or title as it is stored: trimmed, with single spaces in place of white space and control characters.
    var cleaned: String {
        unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
            .map { String($0) }.joined(separator: " ")
    }
}
