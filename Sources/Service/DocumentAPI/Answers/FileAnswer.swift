internal import Documents
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import NIOCore
internal import Objects

/// A stored file as the client gets it: whole or in ranges, and never so that a browser runs it.
struct FileAnswer<Work: BlockingWork> {
    let request: Request
    let document: Document
    let reader: any ObjectReader
    let work: Work

    /// - Parameter isDownload: whether a browser saves the file instead of showing it.
    func response(isDownload: Bool) -> Response {
        let representation = Representation(
            byteCount: reader.byteCount, entityTag: EntityTag(String(document.file.digest.hex.prefix(32))),
            modified: HTTPDate(seconds: document.created.microseconds / 1_000_000))
        let plan = DeliveryPlan(
            method: request.method.rawValue, headers: RequestFields(fields: request.headers),
            representation: representation)
        var headers = HTTPFields(plan.fields(of: representation))
        let name = document.file.name
        headers[.contentDisposition] =
            (isDownload || !document.file.mediaType.isShownSafely
            ? ContentDisposition.attachment(name) : ContentDisposition.inline(name)).text
        headers[.cacheControl] = "private, no-cache"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        headers[.contentType] = document.file.mediaType.told
        let status = HTTPResponse.Status(code: plan.status)
        switch plan {
        case .whole: return Response(status: status, headers: headers, body: body(0..<reader.byteCount))
        case .part(let range): return Response(status: status, headers: headers, body: body(range))
        // One answer with the whole range is what most servers send for several.
        case .parts(let ranges):
            let whole = ranges.first!.lowerBound..<ranges.last!.upperBound
            headers[.contentRange] = "bytes \(whole.lowerBound)-\(whole.upperBound - 1)/\(reader.byteCount)"
            return Response(status: status, headers: headers, body: body(whole))
        case .notModified, .preconditionFailed, .unsatisfiable:
            headers[.contentType] = nil
            headers[.contentDisposition] = nil
            return Response(status: status, headers: headers)
        }
    }

    private func body(_ range: Range<Int64>) -> ResponseBody {
        let (reader, work) = (reader, work)
        return ResponseBody(contentLength: Int(range.count)) { writer in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let count = Int(min(Self.pieceByteCount, range.upperBound - offset))
                let piece = try await work.run { [offset] in try Self.read(reader, count, at: offset) }
                offset += Int64(piece.readableBytes)
                try await writer.write(piece)
            }
            try await writer.finish(nil)
        }
    }

    private static func read(_ reader: any ObjectReader, _ count: Int, at offset: Int64) throws -> ByteBuffer {
        var piece = ByteBufferAllocator().buffer(capacity: count)
        let read = try piece.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { buffer in
            try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
        }
        guard read > 0 else { throw ObjectError.unavailable(detail: "the file ended before its length") }
        return piece
    }

    private static var pieceByteCount: Int64 { 256 << 10 }
}

extension Media.MediaType {
    /// Whether a browser that shows a file of this type runs nothing of it.
    fileprivate var isShownSafely: Bool {
        [.jpeg, .png, .webp, .gif, .avif, .pdf, .plainText, .mp4, .quickTime, .m4v, .webm].contains(self)
    }

    /// The type that browsers are told: texts of any kind are plain text.
    fileprivate var told: String { rawValue.hasPrefix("text/") ? "text/plain; charset=utf-8" : rawValue }
}

extension HTTPField.Name {
    static var xContentTypeOptions: HTTPField.Name { HTTPField.Name("X-Content-Type-Options")! }
    static var contentSecurityPolicy: HTTPField.Name { HTTPField.Name("Content-Security-Policy")! }
}
