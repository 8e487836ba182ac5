/// A place in the text of a résumé.
///
/// Offsets count UTF-8 bytes in `ResumeText.pages[page]`, which is the text in reading order.
public struct TextPlace: Hashable, Sendable, Codable {
    /// The page, from 0.
    public var page: Int
    /// The bytes of the page's text.
    public var bytes: Range<Int>

    /// A place on a page.
    public init(page: Int, bytes: Range<Int>) {
        self.page = page
        self.bytes = bytes
    }
}

/// A value that was read from a text, with its place and confidence.
public struct Found<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What the text says.
    public var value: Value
    /// Where the text says it; `nil` for a value concluded from several places, and for a person's correction.
    public var place: TextPlace?
    /// How certain the reading is, 0...1.
    public var confidence: Double

    /// A value with its place.
    public init(_ value: Value, at place: TextPlace?, confidence: Double) {
        self.value = value
        self.place = place
        self.confidence = confidence
    }

    /// The same reading with another value.
    func map<Other: Hashable & Sendable>(_ transform: (Value) -> Other) -> Found<Other> {
        Found<Other>(transform(value), at: place, confidence: confidence)
    }
}

extension Found: Codable where Value: Codable {}
