internal import Documents
internal import Encoding
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore
internal import ThumbnailCache

/// A picture as the client is told: its bytes, or while there are none a placeholder, an icon, or a word.
struct PictureAnswer {
    let request: Request
    let document: Document
    let recipe: Recipe
    /// Whether the address names the content.
    let isLasting: Bool

    func response(_ picture: Picture) throws -> Response {
        switch picture {
        case .ready(let rendition): return ready(rendition)
        case .pending(let pause): return pending(pause)
        case .failed(let failure): return try failed(failure)
        }
    }

    private func ready(_ rendition: Rendition) -> Response {
        let tag = Hex.string(SHA256.digest(of: rendition.bytes).bytes.prefix(12))
        let representation = Representation(
            byteCount: Int64(rendition.bytes.count), entityTag: EntityTag(tag))
        let plan = DeliveryPlan(
            method: request.method.rawValue, headers: RequestFields(fields: request.headers), representation: representation)
        var headers = HTTPFields(plan.fields(of: representation))
        headers[.cacheControl] = isLasting ? "private, max-age=31536000, immutable" : "private, max-age=3600"
        headers[.vary] = "Accept"
        guard plan == .whole else {
            return Response(
                status: .init(code: plan.status), headers: headers,
                body: part(of: rendition.bytes, plan, representation, &headers))
        }
        headers[.contentType] = rendition.format.mediaType.rawValue
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: rendition.bytes)))
    }

    /// Pictures are small: of several ranges only the first is sent.
    private func part(
        of bytes: [UInt8], _ plan: DeliveryPlan, _ representation: Representation, _ headers: inout HTTPFields
    ) -> ResponseBody {
        guard let range = plan.ranges(of: representation).first else { return ResponseBody() }
        return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }

    /// A page gets 202 with the placeholder; an image element, which shows what it gets, the icon of the type.
    private func pending(_ pause: Duration) -> Response {
        let seconds = "\(max(1, pause.components.seconds))"
        guard wantsImage else {
            var response = Response.json(
                .object([
                    "success": .bool(true),
                    "data": .object([
                        "state": .string("pending"), "placeholder": document.placeholder.map(JSON.string) ?? .null,
                    ]),
                ]), status: .accepted)
            response.headers[.retryAfter] = seconds
            return response
        }
        var response = icon
        response.headers[.retryAfter] = seconds
        return response
    }

    private func failed(_ failure: Failure) throws -> Response {
        guard wantsImage, recipe.allowsIcon else { throw failure }
        return icon
    }

    private var icon: Response {
        let size = recipe.box.bounds
        let side = PixelSize(width: min(size.width, 640), height: min(size.height, 640))
        let bitmap = FileTypeIcon.draw(for: document.file.mediaType, size: side)
        guard let bytes = try? Encoder.encode(bitmap, as: .png, quality: 80) else {
            return Response(status: .serviceUnavailable, headers: [.cacheControl: "no-store"])
        }
        return Response(
            status: .ok, headers: [.contentType: "image/png", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private var wantsImage: Bool {
        let accepted = AcceptedTypes(RequestFields(fields: request.headers))
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
    /// The media type that is told.
    var mediaType: Media.MediaType {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .webp: .webp
        }
    }
}
