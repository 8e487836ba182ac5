internal import Access
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

/// Files on their way in, whole in one request.
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
        let owner = try await files.run { try desk.checkWritable(key, replacing: isUpsert) }
        // A person's own claims name the owner.
        let ofOwner = caller.role == .person ? [] : [JSON.Member("owner", .string(owner.text))]
        let claims =
            FileAddresses.claims(for: key.text, use: "upload", by: caller) + ofOwner
            + [JSON.Member("upsert", .bool(isUpsert))]
        let token = keys.sign(claims, seconds: 7200)
        return .wire(
            .object([
                "url": .string("/object/upload/sign/\(FileAddresses.bucket)/\(key.text)?token=\(token)"),
                "token": .string(token),
            ]))
    }

    func uploadSigned(_ request: WireRequest, _: Caller) async throws -> Response {
        let key = try Self.key(request.path.dropFirst(3))
        let claims = try await claims(request.items["token"] ?? "", for: key, use: "upload")
        guard let owner = claims["owner"]?.string.flatMap({ ID<Person>($0) }) else { throw FileError.otherPath }
        let desk = desk(Caller(owner: owner))
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
        // A form is longer than its file.
        let bodyLimit = limit + (isForm ? 64 << 10 : 0)
        let length = try request.request.declaredByteCount() ?? 0
        if length > bodyLimit { throw FileError.tooLarge }
        let room = try await library.objects.room(for: try request.request.declaredByteCount())
        let file = try await files.run { [library] in
            let owner = try desk.checkWritable(key, replacing: replacing)
            try FileDesk.asking { () throws(DocumentError) in try library.requireRoom(for: length, of: owner) }
            return try FileDesk.converting { () throws(ObjectError) in try library.objects.begin(in: room) }
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
            // Sending may have taken long.
            try await identifying.requireRight(of: desk.caller, toChange: true)
            return try await files.run {
                try desk.checkWritable(key, replacing: replacing)
                _ = try FileDesk.converting { () throws(ObjectError) in try file.commit(to: key, replacing: replacing) }
                try desk.keep(notes, of: key)
                return try desk.file(key)
            }
        } catch {
            try? await files.run { try file.discard() }
            throw error
        }
    }

    func add(_ bytes: [UInt8], to file: any IncomingObject) async throws {
        guard file.byteCount + Int64(bytes.count) <= library.options.maxUploadByteCount else {
            throw FileError.tooLarge
        }
        try await files.run { try FileDesk.converting { () throws(ObjectError) in try file.append(bytes) } }
    }

    /// The first part with a file's name is the file; of the fields, before or behind it, two are kept.
    private func readForm(
        _ request: WireRequest, upTo limit: Int64, _ room: MemoryBudget.Share?, into file: any IncomingObject
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
