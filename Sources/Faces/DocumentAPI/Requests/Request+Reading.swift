internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Media
internal import NIOCore

extension Request {
    /// The names and values after the question mark.
    ///
    /// - Throws: `RequestError` if they are not valid text.
    func queryItems() throws -> QueryItems {
        guard let items = QueryItems(ofRoute: uri) else {
            throw RequestError(message: "The address cannot be read: its query is not valid UTF-8.")
        }
        return items
    }

    /// The body as a JSON object of at most 256 KiB, with only known keys.
    ///
    /// - Throws: `RequestError` if it is anything else, `UnsupportedBody` if `Content-Type` says so.
    func jsonObject(_ context: ServiceContext, keys: Set<String>) async throws -> JSON {
        guard saysJSON else { throw UnsupportedBody() }
        let buffer = try await wholeBody(context, BodyLimits(byteCount: 256 << 10))
        guard let json = try? JSON(parsing: Array(buffer.readableBytesView)), let members = json.members else {
            throw RequestError(message: "The request's body must be a JSON object.")
        }
        for member in members where !keys.contains(member.key) {
            throw RequestError(
                message: "Unknown field. Known: \(keys.sorted().joined(separator: ", ")).",
                field: String(member.key.prefix(64)))
        }
        return json
    }

    /// Whether `Content-Type` names JSON, in UTF-8 if it names a character set (RFC 8259, 8.1). Without it, the body
    /// decides.
    private var saysJSON: Bool {
        let values = headers[values: .contentType]
        if values.isEmpty { return true }
        guard values.count == 1, let type = ContentType(values[0]) else { return false }
        let isJSON = type.essence == "application/json" || type.essence.hasSuffix("+json")
        return isJSON && type.parameters["charset"]?.lowercased() ?? "utf-8" == "utf-8"
    }
}

extension ServiceContext {
    /// An identity in the path.
    ///
    /// - Throws: `notFound` if it is not one: nothing has such an identity.
    func id<Subject>(_ name: String, or missing: DocumentError.Subject) throws(DocumentError) -> ID<Subject> {
        guard let id = parameters.get(name).flatMap({ ID<Subject>($0) }) else { throw .notFound(missing) }
        return id
    }
}

extension JSON {
    /// The text of a key; `nil` if it is absent or null.
    ///
    /// - Throws: `RequestError` if it is anything else.
    func text(_ key: String) throws(RequestError) -> String? {
        guard let value = self[key], value != .null else { return nil }
        guard let text = value.string else { throw RequestError(message: "\(key) must be a string.", field: key) }
        return text
    }
}

extension QueryItems {
    /// What the query says to a route; `nil` if it is not valid text. `Credentials` reads for whom it asks, and
    /// `SignedAddress` who has signed it.
    init?(ofRoute address: URI) {
        let isSigned = SignedAddress(address)?.token != nil
        let parts = (address.query ?? "").split(separator: "&").filter {
            !$0.hasPrefix("person=") && !(isSigned && $0.hasPrefix("token="))
        }
        self.init(parts.joined(separator: "&"))
    }
}
