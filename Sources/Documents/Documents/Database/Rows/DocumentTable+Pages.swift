internal import Database
internal import Media

/// Reading a list piece by piece, in the order of a text column. A row that cannot be read ends no list.
extension DocumentTable {
    /// A page of at most `limit` rows.
    ///
    /// - Parameters:
    ///   - sql: has the rows behind the place, in the order of the key, and a bound of their number at its end.
    ///   - key: the column that has the key. It has to grow from row to row.
    ///   - element: `nil` for a row that cannot be read, once that was reported.
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
        // Behind a key that is no text there are only others of this sort, which cannot be read. One that does not grow, as a text with a
        // zero byte in it, would bring the same rows for ever.
        let isLast = count < limit || limit == 0
        let next = isLast ? nil : last.flatMap { Self.isBehind($0, place) ? StorePlace($0) : nil }
        return StorePage(elements, unreadable: unreadable, next: next)
    }

    /// A page of versions, with their shares.
    ///
    /// - Parameters:
    ///   - condition: as for `documents`, with a bound of the rows' number at its end.
    ///   - key: the place of the key among the columns.
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

    /// Throws `tooMany` if a person has so many rows of a kind that others would be more than one may have.
    ///
    /// - Parameters:
    ///   - rows: the rows, as a statement that selects them.
    ///   - added: the number of the others.
    func requireFewer(
        than most: Int, _ things: String, in rows: String, _ values: [(any SQLConvertible)?], adding added: Int = 1
    ) throws {
        let count = try session.integer("SELECT count(*) FROM (\(rows) LIMIT \(most)) AS counted", values) ?? 0
        if Int(count) + added > most { throw DocumentError.tooMany(things, most: most) }
    }
}
