/// The header fields of a request, as a server's library holds them.
public protocol HeaderReading {
    /// All values of the fields with a name, whose case does not matter, in their order.
    func values(of name: String) -> [String]
}

extension HeaderReading {
    /// The value of a field that a request has exactly once; `nil` if it is absent or repeated.
    public func single(_ name: String) -> String? {
        let values = values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    /// All values of a field joined as one list (RFC 9110, 5.3); `nil` if it is absent.
    public func list(_ name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

/// A header field of an answer, or of a request in a test.
public struct HeaderField: Hashable, Sendable {
    /// As written, `Content-Range`.
    public let name: String
    /// A value in printable ASCII, or in UTF-8 if the field allows it.
    public let value: String

    /// A field whose value has no line break.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [HeaderField]: HeaderReading {
    /// The values of all fields with this name, compared case-insensitively.
    public func values(of name: String) -> [String] {
        let name = name.lowercased()
        return filter { $0.name.lowercased() == name }.map(\.value)
    }
}
