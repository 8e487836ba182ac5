public import Media

/// A sentence that rests on one fact of a posting and one of a résumé.
public struct Reason: Hashable, Sendable {
    /// The sentence: plain text, whose names and words stand in the ranges as they are written.
    public var text: String
    /// Where the posting says its part.
    public var posting: [PostingPlace]
    /// Where the résumé says its part; empty where a person's correction took the place of what was read.
    public var resume: [TextPlace]

    /// A sentence with its ranges.
    public init(text: String, posting: [PostingPlace], resume: [TextPlace]) {
        self.text = text
        self.posting = posting
        self.resume = resume
    }

    /// The sentence and its ranges, to be kept and shown.
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

/// Some bytes of one of the texts that a posting is made of.
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

    /// Some bytes of a field.
    public init(_ field: Field, _ bytes: Range<Int>) {
        self.field = field
        self.bytes = bytes
    }
}

/// Why a posting fits a person.
public struct Reasons: Hashable, Sendable {
    /// One sentence of how the posting is related to the person's work.
    public var summary: Reason
    /// Two to five sentences, the weightiest first; fewer where posting and résumé have less in common.
    public var bullets: [Reason]
}
