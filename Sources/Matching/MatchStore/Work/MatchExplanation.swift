public import Matching

/// Why a posting fits, with the texts that support the sentences.
public struct MatchExplanation: Sendable {
    /// The sentences with their places.
    public let reasons: Reasons
    let posting: Posting
    /// The text of each page of the résumé.
    let pages: [String]

    /// The words of posting and résumé that support a sentence.
    public func evidence(of reason: Reason) -> (posting: [String], resume: [String]) {
        (
            reason.posting.map { Self.quote($0.bytes, of: text($0.field)) },
            reason.resume.map { pages.indices.contains($0.page) ? Self.quote($0.bytes, of: pages[$0.page]) : "" }
        )
    }

    private func text(_ field: PostingPlace.Field) -> String {
        switch field {
        case .title: posting.title
        case .company: posting.company
        case .location: posting.location
        case .text: posting.text
        }
    }

    private static func quote(_ bytes: Range<Int>, of text: String) -> String {
        let utf8 = Array(text.utf8)
        return String(decoding: utf8[bytes.clamped(to: utf8.indices)], as: UTF8.self)
    }
}
