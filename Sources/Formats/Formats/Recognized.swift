public import Media

/// What a source was recognized as, and by whom.
public struct Recognized: Sendable {
    public var facts: Facts
    /// Who tells, for a person who wants to know; the name of a type takes longer to find than most types of files.
    private let reader: @Sendable () -> String

    public init(facts: Facts, reader: @escaping @Sendable () -> String) {
        self.facts = facts
        self.reader = reader
    }

    /// `image/png by own reader: StillImage`.
    public var text: String { "\(facts.mediaType.rawValue) by \(reader())" }
}

/// Tells what a source is, in the child, before the library sees a byte of it; `nil` where it does not know.
public typealias Recognizer = (Source) throws(Failure) -> Recognized?
