internal import Media

/// The pairs of `Upload-Metadata`: `filename d29ybGQ=,is_private`.
public struct TusMetadata: Hashable, Sendable {
    private let pairs: [Pair]

    private struct Pair: Hashable {
        let key: String
        let value: [UInt8]
    }

    /// No pairs, as in a request without the field.
    public init() { pairs = [] }

    /// Parses a field's value.
    ///
    /// - Throws: `invalidMetadata` for an empty, repeated or unprintable key, a value that is not base64, or over 64
    ///   pairs.
    public init(_ text: String) throws(TusError) {
        var pairs: [Pair] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: " ")
            guard pairs.count < 64, let key = words.first.map(String.init), words.count <= 2,
                key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !pairs.contains(where: { $0.key == key }),
                let value = words.count == 2 ? Self.decoded(words[1]) : []
            else { throw .invalidMetadata }
            pairs.append(Pair(key: key, value: value))
        }
        self.pairs = pairs
    }

    /// The padding may be absent.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let padding = text.utf8.dropFirst(digits.count)
        guard padding.count <= 2, padding.allSatisfy({ $0 == UInt8(ascii: "=") }), digits.count % 4 != 1,
            padding.isEmpty || text.utf8.count % 4 == 0, digits.allSatisfy(isDigit)
        else { return nil }
        return Base64.decode(String(text))
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: false
        }
    }

    /// The keys in the client's order.
    public var keys: [String] { pairs.map(\.key) }

    /// A value's bytes.
    public func bytes(of key: String) -> [UInt8]? { pairs.first { $0.key == key }?.value }

    /// A value as text; `nil` if it is absent, or not UTF-8.
    public subscript(key: String) -> String? { bytes(of: key).flatMap { String(validating: $0, as: UTF8.self) } }

    /// The field's value, from which the same pairs can be parsed; `nil` if there are no pairs.
    public var text: String? {
        guard !pairs.isEmpty else { return nil }
        return pairs.map { $0.value.isEmpty ? $0.key : "\($0.key) \(Base64.encode($0.value))" }.joined(separator: ",")
    }
}
