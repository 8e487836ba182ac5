/// A part of a statement, with the values of its `?` in order.
///
/// It is written as a text with interpolations: `"version > \(value: 3) AND \(condition)"`. A value never becomes text
/// of the statement.
public struct SQLText: Sendable, ExpressibleByStringInterpolation {
    /// The text that the database parses.
    public private(set) var text: String
    /// The values that the driver binds, in the order of the text.
    public private(set) var values: [SQLValue?]

    /// A text without values.
    public init(stringLiteral text: String) {
        self.text = text
        values = []
    }

    /// A text that has a `?` for each value.
    public init(_ text: String, _ values: [any SQLConvertible]) {
        self.text = text
        self.values = values.map(\.sqlValue)
    }

    /// A text from interpolated parts and values.
    public init(stringInterpolation: Interpolation) { self = stringInterpolation.made }

    /// Builds a text from its parts.
    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var made: SQLText = ""

        /// Begins with an empty text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds literal text from the program.
        public mutating func appendLiteral(_ literal: String) { made.text += literal }

        /// Adds a part with its values.
        public mutating func appendInterpolation(_ part: SQLText) {
            made.text += part.text
            made.values += part.values
        }

        /// Adds the name of a table or column that the program knows.
        public mutating func appendInterpolation(name: String) { made.text += name }

        /// Adds a `?` with its value.
        public mutating func appendInterpolation(value: (any SQLConvertible)?) {
            made.text += "?"
            made.values.append(value?.sqlValue)
        }
    }
}

extension SQLText {
    /// The parts, separated by a text.
    public static func joined(_ parts: [SQLText], by separator: String) -> SQLText {
        var joined: SQLText = ""
        for (index, part) in parts.enumerated() {
            joined.text += index == 0 ? part.text : separator + part.text
            joined.values += part.values
        }
        return joined
    }

    /// Conditions joined by `AND` or `OR`. The brackets nest as little as possible, because databases limit the depth
    /// of an expression.
    public static func joined(_ conditions: some RandomAccessCollection<SQLText>, as word: Conjunction) -> SQLText {
        switch conditions.count {
        case 0: return word == .and ? "TRUE" : "FALSE"
        case 1: return conditions.first!
        default:
            let middle = conditions.index(conditions.startIndex, offsetBy: conditions.count / 2)
            let (left, right) = (joined(conditions[..<middle], as: word), joined(conditions[middle...], as: word))
            return "(\(left) \(name: word.rawValue) \(right))"
        }
    }

    /// A word that joins conditions.
    public enum Conjunction: String, Sendable {
        case and = "AND"
        case or = "OR"
    }
}

/// The limit after which a statement for a request ends without its result.
public struct SQLLimit: Sendable {
    /// How long the statement may run.
    public let duration: Duration
    /// Whether anybody still waits for the result. A server does not check it while a statement runs.
    public let isWanted: @Sendable () -> Bool

    /// A limit for each statement that receives it.
    public init(_ duration: Duration, isWanted: @escaping @Sendable () -> Bool = { true }) {
        self.duration = duration
        self.isWanted = isWanted
    }
}
