public import Media

/// A recognised source: its type, and the reader that recognised it.
public struct Recognized: Sendable {
    /// The media type, the size, and as far as the reader knows them encryption and the presence of video.
    public var facts: Facts

    /// A closure, because looking up a Swift type's name takes longer than recognising most files.
    private let reader: @Sendable () -> String

    /// Joins the facts to the name of the reader that found them.
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
