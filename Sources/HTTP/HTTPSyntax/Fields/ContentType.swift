public import Media

/// The value of `Content-Type` with its parameters (RFC 9110, 8.3).
public struct ContentType: Hashable, Sendable {
    /// The type in lower case, `multipart/form-data`.
    public let essence: String
    /// `charset`, `boundary` and others.
    public let parameters: FieldParameters

    /// Parses a field's value; `nil` if it does not have the form `type/subtype; name=value`.
    public init?(_ text: String) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        guard let type = scanner.token(), scanner.take("/"), let subtype = scanner.token(),
            let parameters = FieldParameters(&scanner), scanner.isAtEnd
        else { return nil }
        essence = "\(type)/\(subtype)".lowercased()
        self.parameters = parameters
    }

    /// The type alone.
    public var mediaType: MediaType { MediaType(rawValue: essence) }
}
