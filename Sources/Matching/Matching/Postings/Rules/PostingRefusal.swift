/// Why a row of an import is not a posting.
public struct PostingRefusal: Error, Hashable, Sendable {
    /// Where the row begins, from 1: the line of JSON Lines and CSV, or the number of the posting in JSON-LD. If
    /// JSON-LD is not JSON, the line of the first error.
    public var row: Int
    /// The identity at the source, as far as it was read.
    public var sourceID: String?
    /// What is wrong.
    public var reason: Reason

    /// A refusal of a row.
    public init(row: Int, sourceID: String? = nil, reason: Reason) {
        self.row = row
        self.sourceID = sourceID
        self.reason = reason
    }

    /// What can be wrong with a row.
    public enum Reason: Hashable, Sendable {
        /// The row is not JSON, or not an object.
        case notJSON
        /// The row has more than `PostingRules.longestRow` bytes.
        case longRow
        /// Text follows the closing quote of a CSV field, or the quote is not closed.
        case brokenQuotes
        /// The first row of CSV lacks a column of this name.
        case noColumn(String)
        case noID
        case noTitle
        /// The value of this key has more than `PostingRules.longestValue` characters.
        case longValue(key: String)
        /// The text has more than `PostingRules.longestText` bytes.
        case longText
        /// The value of this key is not a calendar day.
        case notADay(key: String, value: String)
        /// The day of this key is before 2000 or too far ahead: an unset clock, or a field that was not filled.
        case unlikelyDay(key: String, value: String)
        /// The posting ends before it begins.
        case endsBeforePosted
        /// The address is not a web address.
        case unsafeAddress
        /// An earlier row of the same file has this identity.
        case repeated
    }

    /// For people: what is wrong and with which value.
    public var message: String {
        switch reason {
        case .notJSON: "not a JSON object"
        case .longRow: "a row of over \(PostingRules.longestRow) bytes"
        case .brokenQuotes: "the quotes of a field do not end as they have to"
        case .noColumn(let name): "no column \(name) in the first row"
        case .noID: "without an id"
        case .noTitle: "without a title"
        case .longValue(let key): "\(key) has over \(PostingRules.longestValue) characters"
        case .longText: "a text of over \(PostingRules.longestText) bytes"
        case .notADay(let key, let value): "\(key) is no day: \(value)"
        case .unlikelyDay(let key, let value): "\(key) is out of range: \(value)"
        case .endsBeforePosted: "ends before it was posted"
        case .unsafeAddress: "its address is not http or https"
        case .repeated: "an earlier row has the same id"
        }
    }
}
