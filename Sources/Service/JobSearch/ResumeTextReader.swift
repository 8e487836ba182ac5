internal import Media
internal import Resumes
internal import Thumbnailer

/// Reads the text of a résumé's file in confined children. Nothing of it is kept in a cache.
struct ResumeTextReader: Sendable {
    /// A résumé has one to four pages; longer files are something else.
    static let mostPages = 30

    let engine: Thumbnailer

    /// - Throws: `ResumeFault` for what is the file's fault, `Failure` for what another try may mend.
    func text(of source: SourceFile) throws -> ResumeText {
        do throws(Failure) {
            let text: ResumeText
            switch try engine.sniff(source).mediaType.textClass {
            case .pdf: text = try pages(of: source)
            default: text = ResumeText(paragraphs: try engine.paragraphs(of: source).paragraphs)
            }
            guard text.lines.contains(where: { $0.text.contains(where: \.isLetter) }) else { throw Self.empty }
            return text
        } catch {
            throw Self.fault(error)
        }
    }

    private static let empty = Failure(.unsupported, detail: "no text")

    private static func fault(_ failure: Failure) -> any Error {
        switch failure.code {
        case _ where failure == empty: ResumeFault.noText
        case .encrypted: ResumeFault.encrypted
        case .usage: ResumeFault.tooLong(pageCount: Int(failure.detail) ?? mostPages + 1)
        case .unsupported, .corrupt, .tooLarge, .timedOut, .refusedType, .sandboxed: ResumeFault.unreadable(failure)
        case .sourceMissing, .unavailable, .cancelled, .crashed: failure
        }
    }

    private func pages(of source: SourceFile) throws(Failure) -> ResumeText {
        var pages: [PageText] = []
        while true {
            let read = try engine.texts(of: source, from: pages.count, atMost: 4)
            guard read[0].pageCount <= Self.mostPages else { throw Failure(.usage, detail: "\(read[0].pageCount)") }
            pages += read
            if pages.count >= read[0].pageCount { return ResumeText(pages: pages) }
        }
    }
}
