internal import Access
internal import Documents
internal import HTTPSyntax
internal import Media
internal import Objects

/// The addresses of files, as rows tell them and as clients send them back.
package struct FileAddresses: Sendable {
    let origin: String
    let keys: WireKeys
    let isPublic: Bool
    /// Who signs.
    let caller: Caller

    /// The name of the only bucket, as clients of Supabase send it.
    static let bucket = "documents"

    /// An address of a file that works as it is: public, or signed for an hour.
    func address(of path: String) -> String {
        let kept = PercentEncoding.encode(path, keeping: "-._~/")
        if isPublic { return "\(origin)/storage/v1/object/public/\(Self.bucket)/\(kept)" }
        let token = keys.sign(Self.claims(for: path, use: "object", by: caller), seconds: 3600)
        return "\(origin)/storage/v1/object/sign/\(Self.bucket)/\(kept)?token=\(token)"
    }

    /// What a token says of a file.
    ///
    /// - Parameters:
    ///   - use: so that a token for one use is none for another.
    ///   - caller: who signs: a person's token counts for as long as they may see the file.
    static func claims(for path: String, use: String, by caller: Caller) -> [JSON.Member] {
        let file = [JSON.Member("url", .string("\(bucket)/\(path)")), JSON.Member("use", .string(use))]
        guard caller.role == .person else { return file }
        return file + [
            JSON.Member("owner", .string(caller.owner.text)), JSON.Member("actor", .string(caller.actor.text)),
        ]
    }

    /// Whether a token's claims are about a file: its path to the byte.
    static func names(_ path: ObjectPath, in claims: JSON) -> Bool {
        claims["url"]?.string?.utf8.elementsEqual("\(bucket)/\(path.text)".utf8) == true
    }

    /// The path of a file in the bucket from an address or a path; a token is ignored.
    package static func path(_ text: String) -> String? {
        for place in ["object/public/", "object/sign/", "object/authenticated/", "object/"] {
            guard let rest = bytes(of: text, behind: "/storage/v1/\(place)\(bucket)/") else { continue }
            let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            return String(validating: PercentEncoding.decode(path), as: UTF8.self)
        }
        if bytes(of: text, behind: "://") != nil { return nil }
        let plain = text.utf8.first == UInt8(ascii: "/") ? text.utf8.dropFirst() : text.utf8[...]
        let name = "\(bucket)/".utf8
        return String(Substring(plain.starts(with: name) ? plain.dropFirst(name.count) : plain))
    }

    /// The bytes behind the first place of a mark. A slash is found also before a combining mark.
    private static func bytes(of text: String, behind mark: String) -> Substring.UTF8View? {
        var rest = text.utf8[...]
        while !rest.isEmpty {
            if rest.starts(with: mark.utf8) { return rest.dropFirst(mark.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}
