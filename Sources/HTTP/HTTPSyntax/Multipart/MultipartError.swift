/// An error in a `multipart/form-data` form.
public enum MultipartError: Error, Hashable, Sendable {
    /// `Content-Type` is not `multipart/form-data` with a boundary of 1 to 70 characters.
    case noBoundary
    /// A header, a boundary's line or the text around the parts violates the grammar; `detail` is for the log.
    case malformed(detail: String)
    /// A line ends with LF alone.
    case bareLineFeed
    /// A part has no name.
    case nameless
    /// A part itself consists of several parts, or is encoded for mail.
    case unsupportedPart(detail: String)
    /// A part's header is over its limit.
    case headerTooLong
    /// There are more parts than the limit.
    case tooManyParts
    /// The value of the field with this name is over its limit.
    case fieldTooLong(name: String)
    /// The form ends before its last boundary.
    case truncated

    /// The status of the answer: 400, 413 for forms that are too large, or 415 if the body is not a form.
    public var status: Int {
        switch self {
        case .noBoundary: 415
        case .headerTooLong, .tooManyParts, .fieldTooLong: 413
        case .malformed, .bareLineFeed, .nameless, .unsupportedPart, .truncated: 400
        }
    }

    /// A sentence for a person, without content of the form.
    public var message: String {
        switch self {
        case .noBoundary: "The request is not a form with files."
        case .malformed, .bareLineFeed: "The form could not be read."
        case .nameless: "A part of the form has no name."
        case .unsupportedPart: "The form has a part of a kind that is not supported."
        case .headerTooLong: "The header of a part of the form is too long."
        case .tooManyParts: "The form has too many parts."
        case .fieldTooLong: "A field of the form is too long."
        case .truncated: "The form is not complete. The connection may have been interrupted."
        }
    }

    /// The error's description for the log.
    public var detail: String {
        switch self {
        case .noBoundary: "not multipart/form-data with a valid boundary"
        case .malformed(let detail), .unsupportedPart(let detail): detail
        case .bareLineFeed: "a line ends with LF alone"
        case .nameless: "a part without a name"
        case .headerTooLong: "a part's header over its limit"
        case .tooManyParts: "parts over their limit"
        case .fieldTooLong(let name): "field \(name.prefix(100)) over its limit"
        case .truncated: "the body ended before the last boundary"
        }
    }
}
