internal import Access
internal import Documents
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore
internal import Objects

/// Files on their way in, whole in one request.
extension SupabaseWire {
    func upload(_ request: WireRequest, isUpdate: Bool) async throws -> Response {
        let desk = try await desk(request)
        let key = try Self.key(request.path.dropFirst(1))
        let isUpsert = isUpdate || request.single("x-upsert")?.lowercased() == "true"
        let file = try await receive(request, key, desk, replacing: isUpsert)
        return .wire(
            .object(["Id": .string(file.id), "Key": .string("\(FileAddresses.bucket)/\(file.path.text)")]))
    }

    /// An address to which a file can be sent without signing in, for two hours.
    func signUpload(_ request: WireRequest) async throws -> Response {
        let desk = try await desk(request)
        let key = try Self.key(request.path.dropFirst(3))
        let isUpsert = request.single("x-upsert")?.lowercased() == "true"
        try await work.run { try desk.checkWritable(key, replacing: isUpsert) }
        let claims =
            FileAddresses.claims(for: key.text, use: "upload") + [
                JSON.Member("owner", .string(desk.owner.text)), JSON.Member("upsert", .bool(isUpsert)),
            ]
        let token = keys.sign(claims, seconds: 7200)
        return .wire(
            .object([
                "url": .string("/object/upload/sign/\(FileAddresses.bucket)/\(key.text)?token=\(token)"),
                "token": .string(token),
            ]))
    }

    func uploadSigned(_ request: WireRequest) async throws -> Response {
        let key = try Self.key(request.path.dropFirst(3))
        let claims = try claims(request.items["token"] ?? "", for: key, use: "upload")
        guard let owner = claims["owner"]?.string.flatMap({ ID<Person>($0) }) else { throw FileError.otherPath }
        let desk = FileDesk(library: library, owner: owner)
        let file = try await receive(request, key, desk, replacing: claims["upsert"]?.bool == true)
        return .wire(.object(["Key": .string("\(FileAddresses.bucket)/\(file.path.text)")]))
    }

    /// Takes the request's file, and stores it under its path.
    private func receive(
        _ request: WireRequest, _ key: ObjectPath, _ desk: FileDesk, replacing: Bool
    ) async throws -> StoredFile {
        let limit = library.options.maxUploadByteCount
        let type = request.single("Content-Type").flatMap { ContentType($0) }
        let isForm = type?.essence == "multipart/form-data"
        if let length = request.single("Content-Length").flatMap({ Int64($0) }),
            length > limit + (isForm ? 64 << 10 : 0)
        {
            throw FileError.tooLarge
        }
        let file = try await work.run { [library] in
            try desk.checkWritable(key, replacing: replacing)
            return try FileDesk.converting { () throws(ObjectError) in try library.objects.begin() }
        }
        do {
            if isForm {
                try await readForm(request, type, into: file)
            } else {
                for try await buffer in request.request.body {
                    try await add(Array(buffer.readableBytesView), to: file)
                }
            }
            return try await work.run {
                try desk.checkWritable(key, replacing: replacing)
                _ = try FileDesk.converting { () throws(ObjectError) in try file.commit(to: key, replacing: replacing) }
                return try desk.file(key)
            }
        } catch {
            try? await work.run { try file.discard() }
            throw error
        }
    }

    func add(_ bytes: [UInt8], to file: any IncomingObject) async throws {
        guard file.byteCount + Int64(bytes.count) <= library.options.maxUploadByteCount else {
            throw FileError.tooLarge
        }
        try await work.run { try FileDesk.converting { () throws(ObjectError) in try file.append(bytes) } }
    }

    /// The first part with a file's name is the file; other parts describe it.
    private func readForm(_ request: WireRequest, _ type: ContentType?, into file: any IncomingObject) async throws {
        do {
            var parser = try MultipartParser(type)
            var (isInFile, hasFile) = (false, false)
            func take(_ parser: inout MultipartParser) async throws {
                while let event = try parser.next() {
                    switch event {
                    case .began(let header):
                        isInFile = !hasFile && (header.isFile || header.name.isEmpty)
                        hasFile = hasFile || isInFile
                    case .bytes(let bytes): if isInFile { try await add(Array(bytes), to: file) }
                    case .ended: isInFile = false
                    }
                }
            }
            for try await buffer in request.request.body {
                parser.feed(Array(buffer.readableBytesView)[...])
                try await take(&parser)
            }
            parser.finish()
            try await take(&parser)
            guard hasFile else { throw FileError.invalidRequest("The form has no file") }
        } catch let error as MultipartError {
            throw FileError.invalidRequest(error.message)
        }
    }
}
