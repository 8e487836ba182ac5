/// The names and values of a query string or a form (`application/x-www-form-urlencoded`), decoded.
public struct QueryItems: Hashable, Sendable {
    /// A name with its value; `?download` has an empty one.
    public struct Item: Hashable, Sendable {
        /// As decoded, with its case.
        public let name: String
        /// May be empty.
        public let value: String
    }

    /// All items in the order of the text.
    public let items: [Item]

    /// Parses the text after the question mark; `nil` if a name or value is not UTF-8, or contains a NUL.
    public init?(_ text: String) {
        var items: [Item] = []
        for part in text.utf8.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard let item = Self.item(name, part.dropFirst(name.count + 1)) else { return nil }
            items.append(item)
        }
        self.items = items
    }

    private static func item(_ name: Substring.UTF8View, _ value: Substring.UTF8View) -> Item? {
        let texts = [name, value].compactMap { part -> String? in
            let bytes = PercentEncoding.decode(part, isForm: true)
            return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
        }
        return texts.count == 2 ? Item(name: texts[0], value: texts[1]) : nil
    }

    /// The first value of a name.
    public subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// All values of a name, in their order.
    public func values(of name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }
}
