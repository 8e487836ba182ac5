internal import Matching
internal import Media
internal import RenderHost
internal import SourceFiles
internal import Thumbnailer

/// Reads the text of a résumé's file in confined children. None of it is cached.
struct ResumeTextReader: Sendable {
    /// A résumé has one to four pages; longer files are something else.
    static let mostPages = 30
    /// How many unreadable pages are skipped: a file with more of them takes too long.
    private static let mostFailures = 3

    let engine: Thumbnailer

    /// - Parameter cancellation: ends the work early, as `cancelled`.
    /// - Throws: `ResumeFault` if the file is the cause, `Failure` if a retry may succeed.
    func text(of source: SourceFile, until cancellation: Cancellation) throws -> ResumeText {
        let text: ResumeText
        do {
            switch try Self.twice({ () throws(Failure) in try engine.sniff(source, cancellation: cancellation) })
                .mediaType.textClass
            {
            case .pdf: text = try pages(of: source, until: cancellation)
            default:
                let document = try Self.twice { () throws(Failure) in
                    try engine.paragraphs(of: source, cancellation: cancellation)
                }
                text = ResumeText(paragraphs: document.paragraphs)
            }
        } catch let failure as Failure {
            throw Self.fault(failure)
        }
        guard Self.hasWords(text) else { throw ResumeFault.noText }
        return text
    }

    private static func fault(_ failure: Failure) -> any Error {
        switch failure.code {
        case .encrypted: ResumeFault.encrypted
        case .unsupported, .corrupt, .tooLarge, .timedOut, .crashed, .refusedType, .sandboxed, .usage:
            ResumeFault.unreadable(failure)
        case .sourceMissing, .unavailable, .cancelled: failure
        }
    }

    /// Retries after a crash: a second crash is the file's fault.
    private static func twice<Answer>(_ read: () throws(Failure) -> Answer) throws(Failure) -> Answer {
        do throws(Failure) {
            return try read()
        } catch {
            guard error.code == .crashed else { throw error }
        }
        return try read()
    }

    /// The pages that can be read.
    ///
    /// - Throws: `tooLong`; the first page's failure if no page with words can be read; any failure that a retry may
    ///   mend.
    private func pages(of source: SourceFile, until cancellation: Cancellation) throws -> ResumeText {
        var pages: [PageText] = []
        var byteCount = 0
        var failures: [Failure] = []
        // The number of pages is unknown until a page is read.
        var (index, end) = (0, Self.mostPages)
        while index < end, byteCount < ResumeText.longestText {
            let next = index
            do {
                let read = try Self.twice { () throws(Failure) in
                    try engine.texts(of: source, from: next, atMost: 4, cancellation: cancellation)
                }
                guard read[0].pageCount <= Self.mostPages else {
                    throw ResumeFault.tooLong(pageCount: read[0].pageCount)
                }
                end = read[0].pageCount
                for page in read {
                    let arranged = try Self.twice { () throws(Failure) in
                        try engine.arranged(page, cancellation: cancellation)
                    }
                    pages.append(arranged)
                    byteCount += arranged.words.reduce(0) { $0 + $1.text.utf8.count }
                }
                index += read.count
            } catch let failure as Failure {
                // There is no such page.
                if failure.code == .usage { break }
                guard Self.isOfPage(failure) else { throw failure }
                failures.append(failure)
                // Each page may use its full time limit.
                if failure.code == .timedOut || failures.count > Self.mostFailures { break }
                index += 1
            }
        }
        let text = ResumeText(pages: pages)
        if let first = failures.first, !Self.hasWords(text) { throw first }
        return text
    }

    private static func hasWords(_ text: ResumeText) -> Bool {
        text.lines.contains { $0.text.contains(where: \.isLetter) }
    }

    /// Whether other pages of the file may be readable.
    private static func isOfPage(_ failure: Failure) -> Bool {
        switch failure.code {
        case .corrupt, .tooLarge, .timedOut, .crashed, .sandboxed: true
        default: false
        }
    }
}
