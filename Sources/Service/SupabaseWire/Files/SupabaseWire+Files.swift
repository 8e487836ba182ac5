internal import Access
internal import Documents
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore
internal import Objects

/// Files: `/storage/v1`.
extension SupabaseWire {
    func files(_ request: WireRequest) async throws -> Response {
        let path = request.path
        switch path.first {
        case "bucket": return try await bucket(request)
        case "object" where path.count > 1: return try await object(request)
        case "render" where path.count > 4 && path[1] == "image": return try await rendered(request)
        case "upload" where path.count > 1 && path[1] == "resumable": return try await resumable(request)
        default: throw FileError.noRoute
        }
    }

    /// The caller's desk.
    func desk(_ request: WireRequest) async throws -> FileDesk {
        FileDesk(library: library, owner: try await caller(request).owner)
    }

    // MARK: Buckets

    private func bucket(_ request: WireRequest) async throws -> Response {
        let owner = try await caller(request).owner
        guard request.method == "GET", request.path.count <= 2 else { throw FileError.notAllowed }
        if request.path.count == 2 {
            try Self.check(bucket: request.path[1])
            return .wire(bucket(of: owner))
        }
        return .wire(.array([bucket(of: owner)]))
    }

    private func bucket(of owner: ID<Person>) -> JSON {
        .object([
            "id": .string(FileAddresses.bucket), "name": .string(FileAddresses.bucket), "owner": .string(owner.text),
            "public": .bool(isPublic), "file_size_limit": .integer(library.options.maxUploadByteCount),
            "allowed_mime_types": .null, "type": .string("STANDARD"),
            "created_at": .string("2025-01-01T00:00:00.000Z"), "updated_at": .string("2025-01-01T00:00:00.000Z"),
        ])
    }

    static func check(bucket name: String) throws(FileError) {
        guard name == FileAddresses.bucket else { throw .noBucket }
    }

    // MARK: Objects

    private func object(_ request: WireRequest) async throws -> Response {
        let path = request.path
        switch (request.method, path[1]) {
        case ("POST", "move"), ("POST", "copy"): return try await relocate(request)
        case ("POST", "list") where path.count == 3: return try await list(request)
        case ("POST", "sign") where path.count == 3: return try await signMany(request)
        case ("POST", "sign") where path.count > 3: return try await sign(request)
        case ("GET", "sign") where path.count > 3, ("HEAD", "sign") where path.count > 3:
            return try await downloadSigned(request)
        case ("POST", "upload") where path.count > 4 && path[2] == "sign": return try await signUpload(request)
        case ("PUT", "upload") where path.count > 4 && path[2] == "sign": return try await uploadSigned(request)
        case ("GET", "public") where path.count > 3, ("HEAD", "public") where path.count > 3:
            try Self.check(bucket: path[2])
            guard isPublic else { throw FileError.noBucket }
            let key = try BucketPath.parse(path.dropFirst(3))
            return try await deliver(request, expires: nil) { [library] () throws(FileError) in
                try FileDesk.file(key, in: library)
            }
        case ("GET", "info") where path.count > 3:
            let rest = path[2] == "authenticated" || path[2] == "public" ? path.dropFirst(3) : path.dropFirst(2)
            let (desk, key) = (try await desk(request), try Self.key(rest))
            return .wire(try await work.run { try desk.file(key).info })
        case ("GET", "authenticated") where path.count > 3, ("HEAD", "authenticated") where path.count > 3:
            return try await download(request, path.dropFirst(2))
        case ("GET", _) where path.count > 2, ("HEAD", _) where path.count > 2:
            return try await download(request, path.dropFirst(1))
        case ("POST", _) where path.count > 2: return try await upload(request, isUpdate: false)
        case ("PUT", _) where path.count > 2: return try await upload(request, isUpdate: true)
        case ("DELETE", _): return try await remove(request)
        default: throw FileError.noRoute
        }
    }

    /// The path behind the bucket's name.
    static func key(_ names: ArraySlice<String>) throws(FileError) -> ObjectPath {
        try check(bucket: names.first ?? "")
        return try BucketPath.parse(names.dropFirst())
    }

    private func json(_ request: WireRequest) async throws -> JSON {
        guard let json = try? JSON(parsing: try await request.body()), json.members != nil else {
            throw FileError.invalidRequest("The body is no JSON object")
        }
        return json
    }

    private func relocate(_ request: WireRequest) async throws -> Response {
        let desk = try await desk(request)
        let json = try await json(request)
        try Self.check(bucket: json["bucketId"]?.string ?? "")
        try Self.check(bucket: json["destinationBucket"]?.string ?? FileAddresses.bucket)
        let from = try BucketPath.parse([json["sourceKey"]?.string ?? ""])
        let to = try BucketPath.parse([json["destinationKey"]?.string ?? ""])
        if request.path[1] == "move" {
            try await work.run { try desk.move(from, to: to) }
            return .wire(.object(["message": .string("Successfully moved")]))
        }
        let isUpsert = request.single("x-upsert") == "true"
        let file = try await work.run { try desk.copy(from, to: to, replacing: isUpsert) }
        return .wire(
            .object(["Id": .string(file.id), "Key": .string("\(FileAddresses.bucket)/\(file.path.text)")]))
    }

    private func list(_ request: WireRequest) async throws -> Response {
        try Self.check(bucket: request.path[2])
        let desk = try await desk(request)
        let listing = Listing(try await json(request))
        return .wire(.array(try await work.run { try desk.list(listing) }))
    }

    private func remove(_ request: WireRequest) async throws -> Response {
        try Self.check(bucket: request.path[1])
        let desk = try await desk(request)
        if request.path.count > 2 {
            let key = try Self.key(request.path.dropFirst(1))
            let removed = try await work.run { try desk.remove([key.text]) }
            if removed.isEmpty { throw FileError.noObject }
            return .wire(.object(["message": .string("Successfully deleted")]))
        }
        guard let prefixes = try await json(request)["prefixes"]?.array?.map(\.string), prefixes.count <= 1000 else {
            throw FileError.invalidRequest("prefixes is a list of at most 1,000 paths")
        }
        let paths = prefixes.compactMap(\.self)
        return .wire(.array(try await work.run { try desk.remove(paths) }))
    }

    private func download(_ request: WireRequest, _ names: ArraySlice<String>) async throws -> Response {
        let desk = try await desk(request)
        let key = try Self.key(names)
        return try await deliver(request, expires: nil) { () throws(FileError) in try desk.file(key) }
    }

    // MARK: Signed addresses

    private func sign(_ request: WireRequest) async throws -> Response {
        let desk = try await desk(request)
        let key = try Self.key(request.path.dropFirst(2))
        let json = try await json(request)
        let seconds = try Self.seconds(json)
        _ = try await work.run { try desk.file(key) }
        var claims = FileAddresses.claims(for: key.text, use: "object")
        var place = "object/sign"
        if let transform = json["transform"], transform.members?.isEmpty == false {
            _ = try PictureTransform(transform)
            claims = FileAddresses.claims(for: key.text, use: "render") + [JSON.Member("transform", transform)]
            place = "render/image/sign"
        }
        let token = keys.sign(claims, seconds: seconds)
        return .wire(
            .object(["signedURL": .string("/\(place)/\(FileAddresses.bucket)/\(key.text)?token=\(token)")]))
    }

    private static func seconds(_ json: JSON) throws(FileError) -> Int64 {
        let given = json["expiresIn"]
        guard let seconds = given?.integer ?? given?.string.flatMap({ Int64($0) }), (1...(1 << 40)).contains(seconds)
        else { throw .invalidRequest("expiresIn is at least 1 second") }
        return seconds
    }

    private func signMany(_ request: WireRequest) async throws -> Response {
        try Self.check(bucket: request.path[2])
        let desk = try await desk(request)
        let json = try await json(request)
        let seconds = try Self.seconds(json)
        guard let paths = json["paths"]?.array?.map(\.string), paths.count <= 1000 else {
            throw FileError.invalidRequest("paths is a list of at most 1,000 paths")
        }
        let keys = keys
        let answers = try await work.run {
            paths.map { text -> JSON in
                let text = text ?? ""
                guard let key = try? BucketPath.parse([text]), (try? desk.file(key)) != nil else {
                    return .object([
                        "error": .string("Either the object does not exist or you do not have access to it"),
                        "path": .string(text), "signedURL": .null,
                    ])
                }
                let token = keys.sign(FileAddresses.claims(for: key.text, use: "object"), seconds: seconds)
                return .object([
                    "error": .null, "path": .string(text),
                    "signedURL": .string("/object/sign/\(FileAddresses.bucket)/\(key.text)?token=\(token)"),
                ])
            }
        }
        return .wire(.array(answers))
    }

    private func downloadSigned(_ request: WireRequest) async throws -> Response {
        let key = try Self.key(request.path.dropFirst(2))
        let claims = try claims(request.items["token"] ?? "", for: key, use: "object")
        return try await deliver(request, expires: claims["exp"]?.integer) { [library] () throws(FileError) in
            try FileDesk.file(key, in: library)
        }
    }

    /// - Throws: `InvalidJWT` for a bad token, `InvalidSignature` for one of another path.
    func claims(_ token: String, for key: ObjectPath, use: String) throws(FileError) -> JSON {
        let claims: JSON
        do throws(WireToken.Fault) {
            claims = try keys.claims(of: token)
        } catch {
            switch error {
            case .malformed: throw .invalidToken("jwt malformed")
            case .badSignature: throw .invalidToken("invalid signature")
            case .expired: throw .invalidToken("\"exp\" claim timestamp check failed")
            }
        }
        guard claims["use"]?.string == use, claims["url"]?.string == "\(FileAddresses.bucket)/\(key.text)" else {
            throw .otherPath
        }
        return claims
    }
}
