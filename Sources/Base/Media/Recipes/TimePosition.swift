/// The moment of a video that a rendition shows.
public enum TimePosition: Hashable, Sendable {
    /// The poster frame, which the renderer chooses: usually the first frame.
    case poster
    /// The frame shown at this many milliseconds from the start.
    case milliseconds(Int64)
    /// The frame shown at this many thousandths of the duration, 0...1000.
    case permille(Int64)

    /// Parses times as FFmpeg writes them: `10%`, `83.5` (seconds), `00:01:23`, `01:23.4`; `nil` for anything else.
    public init?(parsing text: some StringProtocol) {
        if text.hasSuffix("%") {
            guard let percent = Self.number(text.dropLast()), percent <= 100 else { return nil }
            self = .permille(Int64((percent * 10).rounded()))
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var seconds = 0.0
        for (index, part) in parts.enumerated() {
            guard let value = Self.number(part), index == parts.count - 1 || !part.contains("."),
                index == 0 || value < 60
            else { return nil }
            seconds = seconds * 60 + value
        }
        guard seconds <= Self.longestSeconds else { return nil }
        self = .milliseconds(Int64((seconds * 1000).rounded()))
    }

    /// A thousand hours; a longer time counts as a typing error.
    private static let longestSeconds = 3_600_000.0

    /// A decimal number without sign or exponent.
    private static func number(_ text: some StringProtocol) -> Double? {
        guard text.utf8.first != nil, text.utf8.count <= 16,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(String(text))
    }
}

extension TimePosition: CustomStringConvertible {
    /// `poster`, `83500ms`, `100permille`: the canonical form in a recipe.
    public var description: String {
        switch self {
        case .poster: "poster"
        case .milliseconds(let count): "\(count)ms"
        case .permille(let count): "\(count)permille"
        }
    }
}
