internal import Documents
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Linux
internal import Media
internal import NIOCore
internal import Objects
internal import People
internal import ThumbnailCache

/// Pictures of files: `render/image/{public,authenticated,sign}/documents/{path}`.
extension SupabaseWire {
    var pictureRoutes: [WireRoute] {
        let place = "/storage/v1/render/image"
        return [
            WireRoute("GET", "\(place)/public/{bucket}/{path}", .anyone, rendered),
            WireRoute("GET", "\(place)/authenticated/{bucket}/{path}", .key, rendered),
            WireRoute("GET", "\(place)/sign/{bucket}/{path}", .token, rendered),
        ]
    }

    private func rendered(_ request: WireRequest, _ caller: Caller) async throws -> Response {
        let key = try Self.key(request.path.dropFirst(3))
        let transform: PictureTransform
        var expires: Int64?
        // A caller who was handed an address, or knows a public one, is a visitor.
        var isVisited = true
        switch request.path[2] {
        case "public":
            guard isPublic else { throw FileError.noBucket }
            transform = try PictureTransform(request.items).step
        case "authenticated":
            isVisited = false
            let desk = desk(caller)
            _ = try await files.run { try desk.file(key) }
            let asked = try PictureTransform(request.items)
            _ = try asked.recipe(prefersWebP: false)
            transform = asked.step
        case "sign":
            let claims = try await claims(request.items["token"] ?? "", for: key, use: "render")
            transform = try PictureTransform(claims["transform"] ?? .object([]))
            expires = claims["exp"]?.integer
        default: throw FileError.noRoute
        }
        let accepted = AcceptedTypes(request)
        let recipe = try transform.recipe(prefersWebP: accepted.names(.webp) && accepted.quality(of: .webp) > 0)
        let (visitors, patience) = (visitors, patience)
        let turn: @Sendable () async throws -> MeteredTurn = {
            try await visitors.turn(of: String(PathBytes.components(of: key.text)[0]), within: patience)
        }
        let picture: Picture
        do {
            picture = try await library.picture(
                patience: patience, on: files, store: files, turn: isVisited ? turn : nil
            ) { [library, isVisited] in
                WantedPicture(of: try Self.document(at: key, in: library), recipe, isVisited: isVisited)
            }.picture
        } catch let error as DocumentError {
            throw FileError(error)
        }
        return try Self.response(picture, request, expires: expires)
    }

    /// The document at a path; for a file without a document, one that has only its content.
    private static func document(at key: ObjectPath, in library: DocumentLibrary) throws(FileError) -> Document {
        let object = try FileDesk.file(key, in: library).object
        guard object.verdict == .passed else { throw .noObject }
        let named = try FileDesk.asking { () throws(DocumentError) in
            try library.store.document(withObject: object.id)
        }
        if let named { return named }
        let nobody = Caller.local.owner
        let moment = Instant(microseconds: 0)
        return Document(
            id: .make(at: moment), line: .make(at: moment), owner: nobody, type: .resume, title: "",
            description: nil, version: 1, isCurrent: true, school: nil,
            file: Document.File(
                object: object.id, path: key.text, name: key.lastName, mediaType: object.mediaType,
                digest: object.digest, byteCount: object.byteCount),
            facts: object.facts, placeholder: nil, state: .stored, failure: nil, uploader: nobody, created: moment,
            updated: moment, shares: [])
    }

    /// How many seconds a client may keep a picture: then another file may be at its path.
    private static var pictureLifetime: Int64 { 3600 }

    private static func response(_ picture: Picture, _ request: WireRequest, expires: Int64?) throws -> Response {
        switch picture {
        case .pending(let pause):
            var response = FileError.notReady("The picture is being made. Try again.").response
            response.headers[.retryAfter] = "\(max(1, pause.components.seconds))"
            return response
        case .failed(let failure): throw FileError("422", "InvalidRequest", failure.message, code: "InvalidRequest")
        case .ready(let stored):
            let (rendition, tag) = (stored.rendition, Hex.string(stored.checksum.bytes.prefix(12)))
            let representation = Representation(byteCount: Int64(rendition.bytes.count), entityTag: EntityTag(tag))
            let plan = DeliveryPlan(method: request.method, headers: request, representation: representation)
            var headers: HTTPFields = [.eTag: EntityTag(tag).text, .vary: "Accept"]
            headers[.expires] = expires.map { HTTPDate(seconds: $0).text }
            let seconds = min(expires.map(Self.remainingSeconds) ?? Self.pictureLifetime, Self.pictureLifetime)
            headers[.cacheControl] = "private, max-age=\(seconds)"
            if plan == .notModified { return Response(status: .notModified, headers: headers) }
            headers[.contentType] = "image/\(rendition.format)"
            headers[HTTPField.Name("X-Content-Type-Options")!] = "nosniff"
            return Response(
                status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: rendition.bytes)))
        }
    }
}
