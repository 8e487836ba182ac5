package import Documents
package import HTTPSyntax
internal import Media

/// What requests say about a file besides its bytes.
extension FileNotes {
    /// The header fields of a file that is the body: `Cache-Control` unchanged, and `x-metadata`, a JSON object in
    /// base64.
    ///
    /// - Throws: `InvalidRequest` for values that cannot be stored.
    package init(headers: some HeaderReading) throws(FileError) {
        self.init()
        if let text = headers.single("Cache-Control"), !text.isEmpty {
            guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw .invalidRequest("Cache-Control cannot be kept")
            }
            cacheControl = text
        }
        if let text = headers.single("x-metadata"), !text.isEmpty {
            metadata = try Self.metadata(Base64.decode(text))
        }
    }

    /// The texts of a form, or of tus's metadata: `cacheControl` in seconds, and `metadata`, a JSON object.
    ///
    /// - Throws: `InvalidRequest` for values that cannot be stored.
    package init(seconds: String?, metadata text: String?) throws(FileError) {
        self.init()
        if let seconds, !seconds.isEmpty {
            guard seconds.utf8.count <= 10, seconds.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw .invalidRequest("cacheControl is a number of seconds")
            }
            cacheControl = "max-age=\(seconds)"
        }
        if let text, !text.isEmpty { metadata = try Self.metadata(Array(text.utf8)) }
    }

    private static func metadata(_ bytes: [UInt8]) throws(FileError) -> JSON {
        guard bytes.count <= 16 << 10, let json = try? JSON(parsing: bytes), json.members != nil else {
            throw .invalidRequest("metadata is a JSON object of at most 16 KiB")
        }
        return json
    }

    /// The value of `Cache-Control` for a file that is delivered: shared caches store nothing of it.
    package var privateCacheControl: String { privateCacheControl(atMost: nil) }

    /// The same for an address that is valid for a limited time: no cache keeps the file longer.
    ///
    /// - Parameter seconds: how long the address is still valid; `nil` for an address without an end.
    package func privateCacheControl(atMost seconds: Int64?) -> String {
        let kept = cacheControl ?? (seconds == nil ? "no-cache" : "")
        var directives: [Substring] = []
        var maxAge: Int64?
        for directive in kept.split(separator: ",").map({ $0.drop { $0 == " " } }) {
            let name = directive.prefix { $0 != "=" && $0 != " " }.lowercased()
            if ["public", "private", "s-maxage", "stale-while-revalidate", "stale-if-error", ""].contains(name) {
                continue
            }
            guard name == "max-age", seconds != nil else {
                directives.append(directive)
                continue
            }
            maxAge = Int64(directive.dropFirst(8).filter { $0 != "\"" })
        }
        let bound = seconds.map { "max-age=\(max(0, min($0, maxAge ?? $0)))" }
        return (["private"] + directives.map(String.init) + [bound].compactMap(\.self)).joined(separator: ", ")
    }
}
