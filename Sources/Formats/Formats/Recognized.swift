public import Media

/// A recognised source: its type, and the reader that recognised it.
public struct Recognized: Sendable {
    /// The media type and size; encryption and the presence of video if the reader knows them.
    public var facts: Facts

    /// A closure, because the lookup of a Swift type's name takes longer than recognising most files.
    private let reader: @Sendable () -> String

    /// Combines facts with the name of the reader that found them.
    ///
    /// - Parameter reader: returns the name; called only for `text`.
    public init(facts: Facts, reader: @escaping @Sendable () -> String) {
        self.facts = facts
        self.reader = reader
    }

    /// The answer for `--explain`, such as `image/png by own reader: StillImage`.
    public var text: String { "\(facts.mediaType.rawValue) by \(reader())" }
}

/// Recognises a source in the child before the media library reads any byte; returns `nil` for unknown types.
public typealias Recognizer = (Source) throws(Failure) -> Recognized?
