/// The range of rows in the response, of all rows that fulfil a query.
package struct RowRange: Hashable, Sendable {
    /// How many rows are skipped first.
    package var offset: Int64 = 0
    /// The most rows of the response; `nil` for all.
    package var limit: Int64?

    /// Without values: all rows.
    package init(offset: Int64 = 0, limit: Int64? = nil) {
        self.offset = offset
        self.limit = limit
    }

    /// The rows that `limit` and `offset`, the header `Range`, and the server allow together.
    ///
    /// - Parameters:
    ///   - header: such as `0-49` or `50-`; a header of another form is ignored.
    ///   - maximum: the most rows of a response.
    /// - Throws: `PGRST103` for a negative number and for a range that ends before it starts.
    package func resolved(header: String?, maximum: Int64?) throws(RowError) -> RowRange {
        guard offset >= 0, limit ?? 0 >= 0 else { throw .negativeRange }
        if limit == 0 { return RowRange(offset: 0, limit: 0) }
        var lower = offset
        // The first row after the range.
        var end = limit.map { offset.addingReportingOverflow($0) }.flatMap { $0.overflow ? nil : $0.partialValue }
        if let (first, last) = header.flatMap(Self.bounds) {
            if let last, last < first { throw .reversedRange }
            lower = max(lower, first)
            let headerEnd = last.flatMap { $0 == .max ? nil : $0 + 1 }
            end = [end, headerEnd].compactMap(\.self).min()
        }
        guard end.map({ $0 > lower }) != false else { throw .negativeRange }
        return RowRange(offset: lower, limit: [end.map { $0 - lower }, maximum].compactMap(\.self).min())
    }

    private static func bounds(_ header: String) -> (first: Int64, last: Int64?)? {
        let parts = header.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isNumber = { (part: Substring.UTF8View) in
            part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        guard parts.count == 2, !parts[0].isEmpty, parts.allSatisfy(isNumber) else { return nil }
        let first = Int64(String(Substring(parts[0]))) ?? .max
        return (first, parts[1].isEmpty ? nil : Int64(String(Substring(parts[1]))) ?? .max)
    }
}
