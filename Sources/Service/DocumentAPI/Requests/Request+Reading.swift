internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Media
internal import NIOCore

extension Request {
    /// The names and values behind the question mark.
    ///
    /// - Throws: `RequestError` where they are no text.
    func queryItems() throws -> QueryItems {
        guard let items = QueryItems(uri.query ?? "") else {
            throw RequestError(message: "The address cannot be read: its query is no text in UTF-8.")
        }
        return items
    }

    /// The body as a JSON object of at most 256 KiB, with known keys alone.
    ///
    /// - Throws: `RequestError` where it is another thing.
    func jsonObject(_ context: ServiceContext, keys: Set<String>) async throws -> JSON {
        let buffer = try await wholeBody(context, BodyLimits(byteCount: 256 << 10))
        guard let json = try? JSON(parsing: Array(buffer.readableBytesView)), let members = json.members else {
            throw RequestError(message: "The request's body is no JSON object.")
        }
        for member in members where !keys.contains(member.key) {
            throw RequestError(
                message: "Unknown field. Known: \(keys.sorted().joined(separator: ", ")).",
                field: String(member.key.prefix(64)))
        }
        return json
    }
}

extension ServiceContext {
    /// An identity in the path.
    ///
    /// - Throws: `notFound` where it is none: nothing has such an identity.
    func id<Subject>(_ name: String, or missing: DocumentError.Subject) throws(DocumentError) -> ID<Subject> {
        guard let id = parameters.get(name).flatMap({ ID<Subject>($0) }) else { throw .notFound(missing) }
        return id
    }
}

extension JSON {
    /// The text of a key; `nil` where it is absent or null.
    ///
    /// - Throws: `RequestError` where it is another thing.
    func text(_ key: String) throws(RequestError) -> String? {
        guard let value = self[key], value != .null else { return nil }
        guard let text = value.string else { throw RequestError(message: "\(key) must be a text.", field: key) }
        return text
    }
}
