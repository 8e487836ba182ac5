internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore
internal import Objects
internal import People

/// Files: `/storage/v1`.
extension SupabaseWire {
    /// Buckets. There is one, and nobody can create, change or remove any.
    var bucketRoutes: [WireRoute] {
        let refused: WireRoute.Handler = { _, _ in throw FileError.notAllowed }
        return [
            WireRoute("GET", "/storage/v1/bucket", .key) { _, caller in .wire(.array([bucket(for: caller)])) },
            WireRoute("POST", "/storage/v1/bucket", .key, refused),
            WireRoute("GET", "/storage/v1/bucket/{bucket}", .key) { request, caller in
                try Self.check(bucket: request.path[1])
                return .wire(bucket(for: caller))
            },
            WireRoute("PUT", "/storage/v1/bucket/{bucket}", .key, refused),
            WireRoute("DELETE", "/storage/v1/bucket/{bucket}", .key, refused),
            WireRoute("POST", "/storage/v1/bucket/{bucket}/empty", .key, refused),
        ]
    }

    /// Files under their paths; more specific routes come first.
    var objectRoutes: [WireRoute] {
        let place = "/storage/v1/object"
        return [
            WireRoute("POST", "\(place)/move", .key, move),
            WireRoute("POST", "\(place)/copy", .key, copy),
            WireRoute("POST", "\(place)/list/{bucket}", .key, isChange: false, list),
            WireRoute("POST", "\(place)/sign/{bucket}", .key, signMany),
            WireRoute("POST", "\(place)/sign/{bucket}/{path}", .key, sign),
            WireRoute("GET", "\(place)/sign/{bucket}/{path}", .token, downloadSigned),
            WireRoute("POST", "\(place)/upload/sign/{bucket}/{path}", .key, signUpload),
            WireRoute("PUT", "\(place)/upload/sign/{bucket}/{path}", .token, takesFile: true, uploadSigned),
            WireRoute("GET", "\(place)/public/{bucket}/{path}", .anyone) { request, _ in
                try await downloadPublic(request)
            },
            WireRoute("GET", "\(place)/info/authenticated/{bucket}/{path}", .key) { request, caller in
                try await info(request, caller, request.path.dropFirst(3))
            },
            WireRoute("GET", "\(place)/info/public/{bucket}/{path}", .key) { request, caller in
                try await info(request, caller, request.path.dropFirst(3))
            },
            WireRoute("GET", "\(place)/info/{bucket}/{path}", .key) { request, caller in
                try await info(request, caller, request.path.dropFirst(2))
            },
            WireRoute("GET", "\(place)/authenticated/{bucket}/{path}", .key) { request, caller in
                try await download(request, caller, request.path.dropFirst(2))
            },
            WireRoute("GET", "\(place)/{bucket}/{path}", .key) { request, caller in
                try await download(request, caller, request.path.dropFirst(1))
            },
            WireRoute("POST", "\(place)/{bucket}/{path}", .key, takesFile: true) { request, caller in
                try await upload(request, caller, isUpdate: false)
            },
            WireRoute("PUT", "\(place)/{bucket}/{path}", .key, takesFile: true) { request, caller in
                try await upload(request, caller, isUpdate: true)
            },
            WireRoute("DELETE", "\(place)/{bucket}", .key, removeMany),
            WireRoute("DELETE", "\(place)/{bucket}/{path}", .key, remove),
        ]
    }

    /// The desk for a caller's files.
    func desk(_ caller: Caller) -> FileDesk {
        let authenticator = authenticator
        return FileDesk(library: library, caller: caller) { () throws(AccessError) in
            try authenticator.requireChangeNow(by: caller)
        }
    }

    /// The desk of a person with an address by which somebody lets them send a file.
    func desk(_ handedOut: HandedOut) -> FileDesk {
        let authenticator = authenticator
        return FileDesk(library: library, caller: Caller(owner: handedOut.owner, actor: handedOut.actor)) {
            () throws(AccessError) in
            try authenticator.requireNow(handedOut)
        }
    }

    private func bucket(for caller: Caller) -> JSON {
        .object([
            "id": .string(FileAddresses.bucket), "name": .string(FileAddresses.bucket),
            "owner": .string(caller.role == .person ? caller.owner.text : ""),
            "public": .bool(isPublic), "file_size_limit": .integer(library.options.maxUploadByteCount),
            "allowed_mime_types": .null, "type": .string("STANDARD"),
            "created_at": .string("2025-01-01T00:00:00.000Z"), "updated_at": .string("2025-01-01T00:00:00.000Z"),
        ])
    }

    static func check(bucket name: String) throws(FileError) {
        guard name == FileAddresses.bucket else { throw .noBucket }
    }

    // MARK: Objects

    private func downloadPublic(_ request: WireRequest) async throws -> Response {
        let key = try Self.key(request.path.dropFirst(2))
        guard isPublic else { throw FileError.noBucket }
        return try await deliver(request, expires: nil) { [library] () throws(FileError) in
            try FileDesk.file(key, in: library)
        }
    }

    private func info(_ request: WireRequest, _ caller: Caller, _ names: ArraySlice<String>) async throws -> Response {
        let (desk, key) = (desk(caller), try Self.key(names))
        return .wire(try await files.run { try AnswerBody(desk.file(key).info) })
    }

    /// The path after the bucket's name.
    static func key(_ names: ArraySlice<String>) throws(FileError) -> ObjectPath {
        try check(bucket: names.first ?? "")
        return try BucketPath.parse(names.dropFirst())
    }

    private func json(_ request: WireRequest) async throws -> JSON {
        let bytes = try await request.body()
        // A large body takes a thread for a while, from the caller's share.
        guard let json = try await work.run({ try? JSON(parsing: bytes) }), json.members != nil else {
            throw FileError.invalidRequest("The body is no JSON object")
        }
        return json
    }

    /// The two paths that a body names.
    private func paths(_ request: WireRequest) async throws -> (from: ObjectPath, to: ObjectPath) {
        let json = try await json(request)
        try Self.check(bucket: json["bucketId"]?.string ?? "")
        try Self.check(bucket: json["destinationBucket"]?.string ?? FileAddresses.bucket)
        return (
            try BucketPath.parse([json["sourceKey"]?.string ?? ""]),
            try BucketPath.parse([json["destinationKey"]?.string ?? ""])
        )
    }

    private func move(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        let (desk, paths) = (desk(caller), try await paths(request))
        try await files.run { try desk.move(paths.from, to: paths.to) }
        return .wire(.object(["message": .string("Successfully moved")]))
    }

    private func copy(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        let (desk, paths) = (desk(caller), try await paths(request))
        let isUpsert = request.single("x-upsert") == "true"
        let file = try await files.run { try desk.copy(paths.from, to: paths.to, replacing: isUpsert) }
        return .wire(
            .object(["Id": .string(file.id), "Key": .string("\(FileAddresses.bucket)/\(file.path.text)")]))
    }

    private func list(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        try Self.check(bucket: request.path[2])
        let desk = desk(caller)
        let listing = Listing(try await json(request))
        return .wire(try await files.run { try desk.list(listing) })
    }

    private func remove(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        let (desk, key) = (desk(caller), try Self.key(request.path.dropFirst(1)))
        let removed = try await files.run { try desk.remove([key.text]) }
        if removed.isEmpty { throw FileError.noObject }
        return .wire(.object(["message": .string("Successfully deleted")]))
    }

    private func removeMany(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        try Self.check(bucket: request.path[1])
        let desk = desk(caller)
        guard let prefixes = try await json(request)["prefixes"]?.array?.map(\.string), prefixes.count <= 1000 else {
            throw FileError.invalidRequest("prefixes is a list of at most 1,000 paths")
        }
        let paths = prefixes.compactMap(\.self)
        return .wire(try await files.run { try AnswerBody(.array(desk.remove(paths))) })
    }

    private func download(
        _ request: WireRequest, _ caller: Caller, _ names: ArraySlice<String>
    ) async throws -> Response {
        let (desk, key) = (desk(caller), try Self.key(names))
        return try await deliver(request, expires: nil) { () throws(FileError) in try desk.file(key) }
    }

    // MARK: Signed addresses

    private func sign(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        let desk = desk(caller)
        let key = try Self.key(request.path.dropFirst(2))
        let json = try await json(request)
        let seconds = try seconds(json)
        let authenticator = authenticator
        let signer = try await files.run {
            _ = try desk.file(key)
            return try FileAddresses.Signer(caller, authenticator)
        }
        var claims = FileAddresses.claims(for: key.text, use: "object", by: signer)
        var place = "object/sign"
        if let transform = json["transform"], transform.members?.isEmpty == false {
            _ = try PictureTransform(transform)
            claims =
                FileAddresses.claims(for: key.text, use: "render", by: signer) + [JSON.Member("transform", transform)]
            place = "render/image/sign"
        }
        let token = keys.sign(claims, seconds: seconds)
        return .wire(
            .object(["signedURL": .string("/\(place)/\(FileAddresses.bucket)/\(key.text)?token=\(token)")]))
    }

    /// How long an address is to be signed for.
    private func seconds(_ json: JSON) throws(FileError) -> Int64 {
        let given = json["expiresIn"]
        guard let seconds = given?.integer ?? given?.string.flatMap({ Int64($0) }),
            (1...longestSignature).contains(seconds)
        else { throw .invalidRequest("expiresIn must be from 1 to \(longestSignature) seconds") }
        return seconds
    }

    private func signMany(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        try Self.check(bucket: request.path[2])
        let desk = desk(caller)
        let json = try await json(request)
        let seconds = try seconds(json)
        guard let paths = json["paths"]?.array?.map(\.string), paths.count <= 1000 else {
            throw FileError.invalidRequest("paths is a list of at most 1,000 paths")
        }
        let (keys, authenticator) = (keys.snapshot, authenticator)
        let answers = try await files.run {
            let signer = try FileAddresses.Signer(caller, authenticator)
            let signed = paths.map { text -> JSON in
                let text = text ?? ""
                guard let key = try? BucketPath.parse([text]), (try? desk.file(key)) != nil else {
                    return .object([
                        "error": .string("Either the object does not exist or you do not have access to it"),
                        "path": .string(text), "signedURL": .null,
                    ])
                }
                let token = keys.sign(FileAddresses.claims(for: key.text, use: "object", by: signer), seconds: seconds)
                return .object([
                    "error": .null, "path": .string(text),
                    "signedURL": .string("/object/sign/\(FileAddresses.bucket)/\(key.text)?token=\(token)"),
                ])
            }
            return try AnswerBody(.array(signed))
        }
        return .wire(answers)
    }

    private func downloadSigned(_ request: WireRequest, _: Caller) async throws -> Response {
        let key = try Self.key(request.path.dropFirst(2))
        let token = request.items["token"] ?? ""
        let claims = try await claims(token, for: key, use: "object")
        return try await deliver(request, expires: claims["exp"]?.integer) { [library] () throws(FileError) in
            let file = try FileDesk.file(key, in: library)
            // The address of a document's file opens only that file.
            guard claims["object"].map({ $0.string == file.object.id.rawValue }) ?? true else {
                throw FileError.noObject
            }
            return file
        }.reauthorized {
            // If the address has expired meanwhile, it still delivers its file to the end.
            do { _ = try await self.claims(token, for: key, use: "object") } catch is FileError {}
        }
    }

    /// - Throws: `InvalidJWT` for a bad token, `InvalidSignature` for a token of another path; `AccessError` if the
    ///   signer may no longer do so.
    func claims(_ token: String, for key: ObjectPath, use: String) async throws -> JSON {
        let claims = try claims(of: token, for: key, use: use)
        if let handedOut = HandedOut(signed: claims) { try await authenticator.require(handedOut) }
        return claims
    }

    private func claims(of token: String, for key: ObjectPath, use: String) throws(FileError) -> JSON {
        let claims: JSON
        do throws(WireToken.Fault) {
            claims = try keys.claims(of: token, atMost: longestSignature)
        } catch {
            switch error {
            case .malformed: throw .invalidToken("jwt malformed")
            case .badSignature: throw .invalidToken("invalid signature")
            case .expired: throw .invalidToken("\"exp\" claim timestamp check failed")
            }
        }
        guard claims["use"]?.string == use, FileAddresses.names(key, in: claims) else {
            throw .otherPath
        }
        return claims
    }
}
