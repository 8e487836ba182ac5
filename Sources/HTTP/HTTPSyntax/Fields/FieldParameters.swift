/// The parameters after a header field's value: `; name=value; name="quoted"`.
public struct FieldParameters: Hashable, Sendable {
    private let pairs: [Pair]

    private struct Pair: Hashable {
        let name: String
        let value: [UInt8]
    }

    /// Reads to the end of the list, or to the comma that ends the element of a list.
    ///
    /// - Parameter isEscaped: the bytes that a backslash escapes inside quotes.
    /// - Returns: `nil` if the syntax is invalid or a name repeats.
    init?(_ scanner: inout FieldScanner, isEscaped: (UInt8) -> Bool = { _ in true }) {
        var pairs: [Pair] = []
        scanner.skipSpace()
        while scanner.take(";") {
            scanner.skipSpace()
            if scanner.isAtEnd || scanner.next == UInt8(ascii: ";") { continue }
            guard let name = scanner.token()?.lowercased() else { return nil }
            scanner.skipSpace()
            guard scanner.take("=") else { return nil }
            scanner.skipSpace()
            guard let value = scanner.quotedString(isEscaped: isEscaped) ?? scanner.token().map({ Array($0.utf8) })
            else { return nil }
            guard !pairs.contains(where: { $0.name == name }) else { return nil }
            pairs.append(Pair(name: name, value: value))
            scanner.skipSpace()
        }
        self.pairs = pairs
    }

    /// The bytes of the parameter with a lower-case name.
    public func bytes(of name: String) -> [UInt8]? { pairs.first { $0.name == name }?.value }

    /// The parameter's text; bytes that are not UTF-8 become U+FFFD.
    public subscript(name: String) -> String? { bytes(of: name).map { String(decoding: $0, as: UTF8.self) } }
}
