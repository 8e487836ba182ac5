/// The outcome of importing a file's rows.
public struct ImportReport: Hashable, Sendable {
    /// The file's name.
    public let file: String
    /// The number of rows after the first.
    public internal(set) var rowCount = 0
    /// The rows that were refused, in their order.
    public internal(set) var refusals: [Refusal] = []

    init(file: String) { self.file = file }

    /// A row that was refused.
    public struct Refusal: Hashable, Sendable {
        /// The line on which the row begins, from 1.
        public let line: Int
        /// What is wrong with it.
        public let reason: Reason
    }

    /// Why a row can be refused.
    public enum Reason: Hashable, Sendable, CustomStringConvertible {
        /// A quote is not closed, or text follows it.
        case openQuote
        /// A name, title or label has over 500 bytes.
        case tooLong
        /// A code or a name is empty.
        case noName
        /// A row above has the same code.
        case double
        /// No row of the other files has this occupation.
        case unknownOccupation(String)
        /// No row of the other files has this skill.
        case unknownSkill(String)
        /// A numeric column has this text.
        case noNumber(String)

        /// For the operator.
        public var description: String {
            switch self {
            case .openQuote: "a quote is not closed, or text stands behind it"
            case .tooLong: "a name has over 500 bytes"
            case .noName: "code or name is empty"
            case .double: "a row above has the same code"
            case .unknownOccupation(let code): "there is no occupation \(code)"
            case .unknownSkill(let code): "there is no skill \(code)"
            case .noNumber(let text): "\(text) is no number"
            }
        }
    }
}
