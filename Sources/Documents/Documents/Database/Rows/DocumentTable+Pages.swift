internal import Database
internal import Media

/// Reading a list page by page, ordered by a text column. An unreadable row does not end a list.
extension DocumentTable {
    /// A page of at most `limit` rows.
    ///
    /// - Parameters:
    ///   - sql: selects the rows behind the place, ordered by the key, and ends with a limit of their number.
    ///   - key: the column of the key, which must grow from row to row.
    ///   - element: returns `nil` for an unreadable row, which it has reported.
    func page<Element>(
        _ sql: String, _ values: [(any SQLConvertible)?], behind place: StorePlace?, limit: Int, key: Int,
        _ element: (any SQLRow) throws -> Element?
    ) throws -> StorePage<Element, StorePlace> {
        var elements: [Element] = []
        var unreadable: [String] = []
        var (count, last) = (0, String?.none)
        try session.forEachRow(sql, values + [limit]) { row in
            count += 1
            last = row.text(key)
            if let element = try element(row) { elements.append(element) } else { unreadable.append(row.words) }
        }
        // Behind a key that is not text there are only other such keys, and their rows are unreadable. A key that does
        // not grow, such as a text with a zero byte, would return the same rows forever.
        let isLast = count < limit || limit == 0
        let next = isLast ? nil : last.flatMap { Self.isBehind($0, place) ? StorePlace($0) : nil }
        return StorePage(elements, unreadable: unreadable, next: next)
    }

    /// A page of versions, with their shares.
    ///
    /// - Parameters:
    ///   - condition: as for `documents`, and ends with a limit of the number of rows.
    ///   - key: the position of the key among the columns.
    func documentPage(
        _ condition: String, _ values: [(any SQLConvertible)?], behind place: StorePlace?, limit: Int, key: Int
    ) throws -> StorePage<Document, StorePlace> {
        var sharedLines: Set<ID<Line>> = []
        let page = try page(
            "SELECT \(DocumentRow.columns(session.dialect)) FROM documents \(condition)", values, behind: place,
            limit: limit, key: key
        ) { document($0, &sharedLines) }
        return try page.mapping { elements in
            var documents = elements
            try addShares(of: sharedLines, to: &documents)
            return documents
        }
    }

    private static func isBehind(_ key: String, _ place: StorePlace?) -> Bool {
        guard let place else { return true }
        return place.key.utf8.lexicographicallyPrecedes(key.utf8)
    }

    /// Throws `tooMany` if a person would have more rows of a kind than one person may have.
    ///
    /// - Parameters:
    ///   - rows: a statement that selects the existing rows.
    ///   - added: the number of new rows.
    func requireFewer(
        than most: Int, _ things: String, in rows: String, _ values: [(any SQLConvertible)?], adding added: Int = 1
    ) throws {
        let count = try session.integer("SELECT count(*) FROM (\(rows) LIMIT \(most)) AS counted", values) ?? 0
        if Int(count) + added > most { throw DocumentError.tooMany(things, most: most) }
    }
}
