internal import Access
internal import Documents
internal import HTTPSyntax
internal import Library
internal import Media

/// The addresses of files, as rows tell them and as clients send them back.
package struct FileAddresses: Sendable {
    let origin: String
    let keys: WireKeys
    let isPublic: Bool
    /// Who signs.
    let signer: Signer

    /// Who signs addresses, and the epoch that their tokens carry.
    struct Signer: Sendable {
        let caller: Caller
        let epoch: Int64

        /// Somebody who signs now. It blocks.
        ///
        /// - Throws: if the caller's right has ended.
        init(_ caller: Caller, _ identifying: any Identifying) throws(AccessError) {
            self.caller = caller
            epoch = try identifying.handedOut(by: caller, needing: .view, at: .now)?.epoch ?? 0
        }
    }

    /// The name of the only bucket, as clients of Supabase send it.
    static let bucket = "documents"

    /// An address of a file that works as it is: public, or signed for an hour.
    func address(of path: String) -> String {
        let kept = PercentEncoding.encode(path, keeping: "-._~/")
        if isPublic { return "\(origin)/storage/v1/object/public/\(Self.bucket)/\(kept)" }
        let token = keys.sign(Self.claims(for: path, use: "object", by: signer), seconds: 3600)
        return "\(origin)/storage/v1/object/sign/\(Self.bucket)/\(kept)?token=\(token)"
    }

    /// What a token says of a file.
    ///
    /// - Parameters:
    ///   - use: so that a token for one use is none for another.
    ///   - signer: a person's token counts for as long as they may see the file, and until they sign out everywhere.
    static func claims(for path: String, use: String, by signer: Signer) -> [JSON.Member] {
        let caller = signer.caller
        let file = [JSON.Member("url", .string("\(bucket)/\(path)")), JSON.Member("use", .string(use))]
        guard caller.role == .person else { return file }
        return file + [
            JSON.Member("owner", .string(caller.owner.text)), JSON.Member("actor", .string(caller.actor.text)),
            JSON.Member("epoch", .integer(signer.epoch)),
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

extension HandedOut {
    /// What the claims of an address say that a person has signed; `nil` if it was the operator.
    init?(signed claims: JSON) {
        guard let owner = claims["owner"]?.string.flatMap({ ID<Person>($0) }),
            let actor = claims["actor"]?.string.flatMap({ ID<Person>($0) })
        else { return nil }
        // Tokens without a time or an epoch are of no program that signs these.
        let second = claims["iat"]?.integer ?? 0
        self.init(
            owner: owner, actor: actor, issued: Instant(microseconds: second * 1_000_000),
            epoch: claims["epoch"]?.integer ?? -1, right: claims["use"]?.string == "upload" ? .manage : .view)
    }
}
