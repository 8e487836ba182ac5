internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Linux
internal import Media
internal import NIOCore
internal import Objects
internal import People

/// Receives files, each whole in one request.
extension SupabaseWire {
    func upload(_ request: WireRequest, _ caller: Caller, isUpdate: Bool) async throws -> Response {
        let desk = desk(caller)
        let key = try Self.key(request.path.dropFirst(1))
        let isUpsert = isUpdate || request.single("x-upsert")?.lowercased() == "true"
        let file = try await receive(request, key, desk, replacing: isUpsert)
        return .wire(
            .object(["Id": .string(file.id), "Key": .string("\(FileAddresses.bucket)/\(file.path.text)")]))
    }

    /// An address to which a file can be sent without signing in, for two hours.
    func signUpload(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        let desk = desk(caller)
        let key = try Self.key(request.path.dropFirst(3))
        let isUpsert = request.single("x-upsert")?.lowercased() == "true"
        let authenticator = authenticator
        let (owner, signer) = try await files.run {
            (try desk.checkWritable(key, replacing: isUpsert), try FileAddresses.Signer(caller, authenticator))
        }
        // A person's own claims name the owner.
        let ofOwner = caller.role == .person ? [] : [JSON.Member("owner", .string(owner.text))]
        let claims =
            FileAddresses.claims(for: key.text, use: "upload", by: signer) + ofOwner
            + [JSON.Member("upsert", .bool(isUpsert))]
        let token = keys.sign(claims, seconds: min(7200, longestSignature))
        return .wire(
            .object([
                "url": .string("/object/upload/sign/\(FileAddresses.bucket)/\(key.text)?token=\(token)"),
                "token": .string(token),
            ]))
    }

    func uploadSigned(_ request: WireRequest, _: Caller) async throws -> Response {
        let key = try Self.key(request.path.dropFirst(3))
        let claims = try await claims(request.items["token"] ?? "", for: key, use: "upload")
        guard let desk = desk(toUploadWith: claims) else { throw FileError.otherPath }
        let file = try await receive(request, key, desk, replacing: claims["upsert"]?.bool == true)
        return .wire(.object(["Key": .string("\(FileAddresses.bucket)/\(file.path.text)")]))
    }

    /// The desk for the claims of an upload's token; `nil` if they name nobody.
    func desk(toUploadWith claims: JSON) -> FileDesk? {
        if let handedOut = HandedOut(signed: claims) { return desk(handedOut) }
        // The operator has signed the token for an owner.
        guard let owner = claims["owner"]?.string.flatMap({ ID<Person>($0) }) else { return nil }
        return FileDesk(library: library, caller: Caller(owner: owner)) { () throws(AccessError) in }
    }

    /// Receives the request's file, and stores it under its path.
    private func receive(
        _ request: WireRequest, _ key: ObjectPath, _ desk: FileDesk, replacing: Bool
    ) async throws -> StoredFile {
        let limit = library.options.maxUploadByteCount
        let type = request.single("Content-Type").flatMap { ContentType($0) }
        let isForm = type?.essence == "multipart/form-data"
        // A form is longer than its file.
        let bodyLimit = limit + (isForm ? 64 << 10 : 0)
        let length = try request.request.declaredByteCount() ?? 0
        if length > bodyLimit { throw FileError.tooLarge }
        let announced = max(0, length - (isForm ? 64 << 10 : 0))
        let room = try await library.objects.room(for: try request.request.declaredByteCount())
        let file = try await files.run { [library] in
            let owner = try desk.checkWritable(key, replacing: replacing)
            return try FileDesk.asking { () throws(DocumentError) in
                try library.receive(for: owner, announcing: announced, in: room)
            }
        }
        do {
            let notes: FileNotes
            if isForm {
                notes = try await readForm(request, upTo: bodyLimit, room, into: file)
            } else {
                notes = try FileNotes(headers: request)
                try await request.withBody(upTo: bodyLimit, room: room) { body in
                    while let piece = try await body.next() {
                        try await add(Array(piece.readableBytesView), to: file)
                    }
                }
            }
            return try await files.run { try desk.commit(file, to: key, replacing: replacing, notes) }
        } catch {
            try? await files.run { file.discard() }
            throw error
        }
    }

    private func add(_ bytes: [UInt8], to file: Intake) async throws {
        try await files.run {
            try FileDesk.asking { () throws(DocumentError) in
                let result = bytes.withUnsafeBytes { bytes in
                    Result { () throws(DocumentError) in try file.append(bytes) }
                }
                try result.get()
            }
        }
    }

    /// The first part with a file's name is the file; two of the fields, before or after it, are kept.
    private func readForm(
        _ request: WireRequest, upTo limit: Int64, _ room: MemoryBudget.Share?, into file: Intake
    ) async throws -> FileNotes {
        do {
            let form = try FormReader(request.request)
            let fields = try await request.withBody(upTo: limit, room: room) { body in
                var (reader, isInFile, hasFile) = (form, false, false)
                var (fields, field) = ([String: [UInt8]](), "")
                while let event = try await reader.next(from: &body) {
                    switch event {
                    case .began(let header):
                        isInFile = !hasFile && (header.isFile || header.name.isEmpty)
                        hasFile = hasFile || isInFile
                        field = header.isFile ? "" : header.name
                    case .bytes(let bytes):
                        if isInFile {
                            try await add(Array(bytes), to: file)
                        } else if Self.keptFields.contains(field) {
                            fields[field, default: []] += bytes
                        }
                    case .ended: isInFile = false
                    }
                }
                return hasFile ? fields : nil
            }
            guard let fields else { throw FileError.invalidRequest("The form has no file") }
            let texts = fields.mapValues { String(decoding: $0, as: UTF8.self) }
            return try FileNotes(seconds: texts["cacheControl"], metadata: texts["metadata"])
        } catch let error as MultipartError {
            throw FileError.invalidRequest(error.message)
        }
    }

    private static var keptFields: Set<String> { ["cacheControl", "metadata"] }
}
