internal import HTTPSyntax
internal import Library
internal import Media
internal import Objects
internal import People

/// The addresses of files, as rows contain them and as clients send them back.
package struct FileAddresses: Sendable {
    let origin: String
    let keys: WireKeys
    let isPublic: Bool
    /// The person or operator in whose name addresses are signed.
    let signer: Signer

    /// The signer of addresses, and the epoch that their tokens carry.
    struct Signer: Sendable {
        let caller: Caller
        let epoch: Int64

        /// The signer as of now. It blocks.
        ///
        /// - Throws: `AccessError` if the caller's right has ended.
        init(_ caller: Caller, _ authenticator: any Authenticator) throws(AccessError) {
            self.caller = caller
            epoch = try authenticator.handedOut(by: caller, needing: .view, at: .now)?.epoch ?? 0
        }
    }

    /// The name of the only bucket, as clients of Supabase send it.
    static let bucket = "documents"

    /// An address of a version's file that works without a login: public, or signed for an hour.
    ///
    /// - Parameter object: the only file that the address opens; `nil` for a file that was removed.
    func address(of path: String, _ object: ObjectID?) -> String {
        let kept = PercentEncoding.encode(path, keeping: "-._~/")
        if isPublic { return "\(origin)/storage/v1/object/public/\(Self.bucket)/\(kept)" }
        let claims =
            Self.claims(for: path, use: "object", by: signer)
            + [JSON.Member("object", .string(object?.rawValue ?? ""))]
        let token = keys.sign(claims, seconds: 3600)
        return "\(origin)/storage/v1/object/sign/\(Self.bucket)/\(kept)?token=\(token)"
    }

    /// The claims of a token about a file.
    ///
    /// - Parameters:
    ///   - use: the use of the token; a token for one use is not valid for another.
    ///   - signer: a person's token is valid for as long as they may see the file, and until they sign out everywhere.
    static func claims(for path: String, use: String, by signer: Signer) -> [JSON.Member] {
        let caller = signer.caller
        let file = [JSON.Member("url", .string("\(bucket)/\(path)")), JSON.Member("use", .string(use))]
        guard caller.role == .person else { return file }
        return file + [
            JSON.Member("owner", .string(caller.owner.text)), JSON.Member("actor", .string(caller.actor.text)),
            JSON.Member("epoch", .integer(signer.epoch)),
        ]
    }

    /// Whether a token's claims are about a file: its path must match in every byte.
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

    /// The bytes after the first occurrence of a mark. A slash is found even before a combining mark.
    private static func bytes(of text: String, behind mark: String) -> Substring.UTF8View? {
        var rest = text.utf8[...]
        while !rest.isEmpty {
            if rest.starts(with: mark.utf8) { return rest.dropFirst(mark.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }
}

extension HandedOut {
    /// What a person has signed in the claims of an address; `nil` if the operator signed them.
    init?(signed claims: JSON) {
        guard let owner = claims["owner"]?.string.flatMap({ ID<Person>($0) }),
            let actor = claims["actor"]?.string.flatMap({ ID<Person>($0) })
        else { return nil }
        // Tokens without a time or an epoch were not made by a program that signs these.
        let second = claims["iat"]?.integer ?? 0
        self.init(
            owner: owner, actor: actor, issued: Instant(microseconds: second * 1_000_000),
            epoch: claims["epoch"]?.integer ?? -1, right: claims["use"]?.string == "upload" ? .manage : .view)
    }
}
