internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore
internal import ThumbnailCache
internal import Thumbnailer

/// A picture as the client gets it: its bytes, or, until they exist, a placeholder, an icon, or a word.
struct PictureAnswer {
    let request: HTTPRequest
    let wanted: WantedPicture
    /// Whether the address names the content.
    let isLasting: Bool
    /// The pattern of the address.
    let route: String

    private var document: Document { wanted.document }
    private var recipe: Recipe { wanted.recipe }

    func response(_ picture: Picture) throws -> Response {
        switch picture {
        case .ready(let stored): return Self.ready(entry(stored), to: request).response
        case .pending(let pause): return try pending(pause)
        case .failed(let failure): return try failed(failure)
        }
    }

    /// A rendition as it is answered and cached.
    func entry(_ stored: StoredRendition) -> PictureMemory.Entry {
        PictureMemory.Entry(
            bytes: ByteBuffer(bytes: stored.rendition.bytes),
            tag: EntityTag(Hex.string(stored.checksum.bytes.prefix(12))),
            mediaType: stored.rendition.format.mediaType.rawValue, isLasting: isLasting, route: route)
    }

    /// Whether a rendition is the requested one. Another one stands in for a WebP that does not exist yet.
    func isFinal(_ stored: StoredRendition) -> Bool {
        wanted.recipe.format != .webp || stored.rendition.format == .webp
    }

    /// The answer with a picture, after the request's conditions and range. Pictures are small: only the first of
    /// several ranges is sent.
    static func ready(_ entry: PictureMemory.Entry, to request: HTTPRequest) -> ReadyAnswer {
        let representation = Representation(byteCount: Int64(entry.bytes.readableBytes), entityTag: entry.tag)
        let plan = DeliveryPlan(
            method: request.method.rawValue, headers: request.headerFields, representation: representation)
        var headers = HTTPFields(plan.fields(of: representation))
        headers[.cacheControl] = entry.isLasting ? "private, max-age=31536000, immutable" : "private, max-age=3600"
        headers[.vary] = "Accept"
        var bytes = ByteBuffer()
        if let range = plan.ranges(of: representation).first {
            headers[.contentType] = entry.mediaType
            bytes = entry.bytes.getSlice(
                at: entry.bytes.readerIndex + Int(range.lowerBound), length: Int(range.upperBound - range.lowerBound))!
        }
        return ReadyAnswer(status: .init(code: plan.status), headers: headers, body: bytes, route: entry.route)
    }

    /// A program gets 202 with the placeholder. An image element, which shows what it gets, gets the drawn placeholder,
    /// or the icon of the type if there is none. For a page, a frame or a whole picture, these would show nothing
    /// useful: it gets an error and asks again.
    private func pending(_ pause: Duration) throws -> Response {
        var response: Response
        if wantsImage {
            let unready = Response(status: .serviceUnavailable, headers: [.cacheControl: "no-store"])
            response = recipe.allowsIcon ? placeholder ?? icon : unready
        } else {
            response = try .data(
                .object([
                    "state": .string("pending"), "placeholder": document.placeholder.map(JSON.string) ?? .null,
                ]), status: .accepted)
        }
        response.headers[.retryAfter] = "\(max(1, pause.components.seconds))"
        return response
    }

    private func failed(_ failure: Failure) throws -> Response {
        guard wantsImage, recipe.allowsIcon else { throw failure }
        return icon
    }

    /// The blurred picture, in the shape of the final picture.
    private var placeholder: Response? {
        let shape =
            recipe.fit == .cover && recipe.box.width != nil && recipe.box.height != nil ? recipe.box.bounds : nil
        return document.placeholder.flatMap { ThumbHash.picture(of: $0, shapedAs: shape) }.map(Self.passing)
    }

    private var icon: Response {
        let size = recipe.box.bounds
        let side = PixelSize(width: min(size.width, 640), height: min(size.height, 640))
        return Self.passing(FileTypeIcon.draw(for: document.file.mediaType, size: side))
    }

    /// The answer with a picture that no client caches.
    private static func passing(_ bitmap: Bitmap) -> Response {
        guard let bytes = try? Encoder.encode(bitmap, as: .png, quality: 80) else {
            return Response(status: .serviceUnavailable, headers: [.cacheControl: "no-store"])
        }
        return Response(
            status: .ok, headers: [.contentType: "image/png", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private var wantsImage: Bool {
        let accepted = AcceptedTypes(request.headerFields)
        let json = Media.MediaType(rawValue: "application/json")
        return !accepted.names(json) && [.jpeg, .png, .webp].contains { accepted.quality(of: $0) > 0 }
    }
}

extension HTTPFields {
    /// Fields of an answer.
    init(_ fields: [HeaderField]) {
        self.init()
        for field in fields {
            if let name = HTTPField.Name(field.name) { append(HTTPField(name: name, value: field.value)) }
        }
    }
}

extension RenditionFormat {
    /// The media type in answers.
    var mediaType: Media.MediaType {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        }
    }
}
