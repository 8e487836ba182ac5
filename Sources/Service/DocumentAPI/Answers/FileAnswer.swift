internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Hummingbird
internal import Media
internal import Objects

/// A stored file as the client gets it: whole or in ranges, and never so that a browser runs it.
struct FileAnswer {
    let request: Request
    let document: Document
    let reader: any ObjectReader
    let work: BlockingPool

    /// - Parameter isDownload: whether a browser saves the file instead of showing it.
    func response(isDownload: Bool) async throws -> Response {
        let (reader, name, type) = (reader, document.file.name, document.file.mediaType)
        let disposition = isDownload || !type.isShownSafely ? ContentDisposition.attachment(name) : .inline(name)
        let file = RangedFile(
            Representation(
                byteCount: reader.byteCount, entityTag: EntityTag(String(document.file.digest.hex.prefix(32))),
                modified: HTTPDate(document.created)),
            type: type.told,
            fields: [
                HeaderField("Content-Disposition", disposition.text), HeaderField("Cache-Control", "private, no-cache"),
                HeaderField("Content-Security-Policy", "default-src 'none'; base-uri 'none'; sandbox"),
            ], pool: work
        ) { buffer, offset in try reader.read(into: buffer, at: offset) }
        return try await file.response(to: request)
    }
}

extension Media.MediaType {
    /// Whether a browser that shows a file of this type runs nothing of it.
    fileprivate var isShownSafely: Bool {
        [.jpeg, .png, .webp, .gif, .avif, .pdf, .plainText, .mp4, .quickTime, .m4v, .webm].contains(self)
    }

    /// The type that browsers are told: texts of any kind are plain text.
    fileprivate var told: String { rawValue.hasPrefix("text/") ? "text/plain; charset=utf-8" : rawValue }
}
