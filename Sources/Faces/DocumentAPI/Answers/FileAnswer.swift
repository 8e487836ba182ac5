internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Hummingbird
internal import Linux
internal import Media
internal import Objects

/// A stored file as the client gets it: whole or in ranges, and never in a form that a browser runs.
struct FileAnswer {
    let request: Request
    let document: Document
    let reader: any ObjectReader
    let files: BlockingPool
    /// What all answers share.
    let memory: MemoryBudget

    /// - Parameter isDownload: whether a browser saves the file instead of showing it.
    func response(isDownload: Bool) async throws -> Response {
        let reader = reader
        let disposition = Self.disposition(of: document, isDownload: isDownload)
        let file = RangedFile(
            Representation(
                byteCount: reader.byteCount, entityTag: EntityTag(String(document.file.digest.hex.prefix(32))),
                modified: HTTPDate(document.created)),
            type: document.file.mediaType.told,
            fields: [
                HeaderField("Content-Disposition", disposition), HeaderField("Cache-Control", "private, no-cache"),
                HeaderField("Content-Security-Policy", "default-src 'none'; base-uri 'none'; sandbox"),
            ], pool: files, memory: memory
        ) { buffer, offset in try reader.read(into: buffer, at: offset) }
        return try await file.response(to: request)
    }

    private static func disposition(of document: Document, isDownload: Bool) -> String {
        let (name, type) = (document.file.name, document.file.mediaType)
        return (isDownload || !type.isShownSafely ? ContentDisposition.attachment(name) : .inline(name)).text
    }

    /// How the store answers instead of the service.
    static func terms(of document: Document, isDownload: Bool, seconds: Int64) -> DirectAddressTerms {
        DirectAddressTerms(
            seconds: Int(clamping: seconds), type: document.file.mediaType.told,
            disposition: disposition(of: document, isDownload: isDownload))
    }
}

extension Media.MediaType {
    /// Whether a browser shows a file of this type without running any of it.
    fileprivate var isShownSafely: Bool {
        [.jpeg, .png, .webp, .gif, .avif, .pdf, .plainText, .mp4, .quickTime, .m4v, .webm].contains(self)
    }

    /// The type that browsers get: texts of any kind are plain text.
    fileprivate var told: String { rawValue.hasPrefix("text/") ? "text/plain; charset=utf-8" : rawValue }
}
