internal import Access
internal import Documents
internal import HTTPSyntax
internal import Media

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

    /// The path of a file in the bucket from an address or a path; a token is ignored.
    package static func path(_ text: String) -> String? {
        for place in ["object/public/", "object/sign/", "object/authenticated/", "object/"] {
            guard let range = text.firstRange(of: "/storage/v1/\(place)\(bucket)/") else { continue }
            let rest = text[range.upperBound...].prefix { $0 != "?" && $0 != "#" }
            return String(validating: PercentEncoding.decode(rest.utf8), as: UTF8.self)
        }
        if text.contains("://") { return nil }
        let plain = text.hasPrefix("/") ? text.dropFirst() : text[...]
        return String(plain.hasPrefix("\(bucket)/") ? plain.dropFirst(bucket.count + 1) : plain)
    }
}
