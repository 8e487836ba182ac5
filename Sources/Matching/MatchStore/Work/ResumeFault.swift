public import Matching
public import Media

/// Why a résumé gives no profile. The person gets the message.
public enum ResumeFault: Error, Hashable, Sendable {
    /// No words, as in a scan that text recognition could not read.
    case noText
    /// Words that say nothing about a person's work, school or skills, and their language if it is not one that is
    /// read.
    case noResume(TextLanguage?)
    /// More pages than are read.
    case tooLong(pageCount: Int)
    /// A password is needed.
    case encrypted
    /// The file is damaged, or of a type without a reader.
    case unreadable(Failure)

    /// What is wrong with the file, and what to do.
    public var message: String {
        switch self {
        case .noText:
            "No text could be read from this file. If it is a scan or a photo, send a sharper one, or the document that it was made from."
        case .noResume(let language?):
            """
            This résumé seems to be in \(language.name ?? "another language than English"), and no positions, schools or skills could be \
            read from it. Send a résumé in English with headings such as Experience, Education and Skills.
            """
        case .noResume(nil):
            """
            This does not look like a résumé: it shows no positions, schools or skills that could be read. Send a résumé in English with \
            headings such as Experience, Education and Skills.
            """
        case .tooLong(let pageCount):
            "This file has \(pageCount) pages. Send the résumé alone: up to \(ResumeTextReader.mostPages) pages are read."
        case .encrypted: "This file is protected by a password. Save it without one and send it again."
        case .unreadable(let failure) where failure.code == .tooLarge || failure.code == .timedOut:
            "This file takes too much to read. Save the résumé as a PDF of text and send it again."
        case .unreadable(let failure) where failure.code == .unsupported:
            "Text of this type of file cannot be read. Save the résumé as PDF or DOCX and send it again."
        case .unreadable:
            "This file is damaged and cannot be read. Save it again as PDF or DOCX, and upload it again."
        }
    }
}
