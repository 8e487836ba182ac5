public import Media

/// A sentence based on one fact of a posting and one of a résumé.
public struct Reason: Hashable, Sendable {
    /// The sentence: plain text, whose names and words appear in the ranges as written.
    public var text: String
    /// Where the posting says its part.
    public var posting: [PostingPlace]
    /// Where the résumé says its part; empty if a person's correction replaced the reading.
    public var resume: [TextPlace]

    /// A sentence with its ranges.
    public init(text: String, posting: [PostingPlace], resume: [TextPlace]) {
        self.text = text
        self.posting = posting
        self.resume = resume
    }

    /// The sentence and its ranges, for storage and display.
    public var json: JSON {
        func range(_ bytes: Range<Int>) -> [JSON] {
            [.integer(Int64(bytes.lowerBound)), .integer(Int64(bytes.upperBound))]
        }
        return .object([
            "text": .string(text),
            "posting": .array(
                posting.map { .object(["field": .string($0.field.rawValue), "bytes": .array(range($0.bytes))]) }),
            "resume": .array(
                resume.map { .object(["page": .integer(Int64($0.page)), "bytes": .array(range($0.bytes))]) }),
        ])
    }
}

/// A byte range in one of a posting's texts.
public struct PostingPlace: Hashable, Sendable {
    /// The part of the posting.
    public var field: Field
    /// The bytes of that part's UTF-8.
    public var bytes: Range<Int>

    /// A part of a posting that is a text.
    public enum Field: String, Hashable, Sendable {
        case title
        case company
        case location
        case text
    }

    /// A byte range in a field.
    public init(_ field: Field, _ bytes: Range<Int>) {
        self.field = field
        self.bytes = bytes
    }
}

/// Why a posting fits a person.
public struct Reasons: Hashable, Sendable {
    /// One sentence on how the posting is related to the person's work.
    public var summary: Reason
    /// Two to five sentences, the most important first; fewer if posting and résumé have less in common.
    public var bullets: [Reason]
}
