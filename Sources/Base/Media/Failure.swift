/// Why there is no rendition: the one error value that crosses modules, processes and the cache.
///
/// `message` is for people and contains neither a path nor content. `detail` is for the log and the command line: the
/// library's own message, the call or the limit.
public struct Failure: Error, Hashable, Sendable {
    /// The kind of failure; its raw value is the word in JSON and in the cache.
    public let code: Code

    /// One sentence for a person: the error and, if useful, the remedy.
    public let message: String

    /// The message of the library, kernel or check, in at most 500 characters without control characters; may be empty.
    public let detail: String

    /// A failure with both texts bounded; `message` is the code's own sentence by default.
    public init(_ code: Code, message: String? = nil, detail: String = "") {
        self.code = code
        self.message = Self.bounded(message ?? code.defaultMessage)
        self.detail = Self.bounded(detail)
    }

    /// Untrusted text as one printable line of bounded length; control characters become spaces.
    public static func bounded(_ text: String, to limit: Int = 500) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            scalars.append(isPrintable(scalar) ? scalar : " ")
        }
        return String(scalars)
    }

    /// Neither a control character (C0, DEL, C1) nor one that reorders or breaks a line (bidirectional marks, U+2028).
    package static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}

extension Failure {
    /// The closed list of failures.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The media type has no preview.
        case unsupported
        /// The document type does not allow the file's name or content.
        case refusedType
        /// The library could not read the file.
        case corrupt
        /// The file needs a password.
        case encrypted
        /// The file exceeds a limit: bytes, pixels, pages, memory.
        case tooLarge
        /// The deadline passed and the child was killed.
        case timedOut
        /// A signal killed the child, or it exited without an answer.
        case crashed
        /// The child made a call that its sandbox forbids.
        case sandboxed
        /// The file does not exist or cannot be read.
        case sourceMissing
        /// Cache, queue, database or renderer is unreachable.
        case unavailable
        /// A flag or a recipe is invalid.
        case usage
        /// The user cancelled the work.
        case cancelled
    }

    /// The program's exit status: 1 if the file fails, 2 for the caller, 3 for a service, 130 for a cancellation.
    public var exitStatus: Int32 {
        switch code {
        case .usage: 2
        case .unavailable: 3
        case .cancelled: 130
        default: 1
        }
    }

    /// Whether the same bytes fail in the same way with the same renderer, so that the cache keeps the failure.
    public var belongsToContent: Bool {
        switch code {
        case .unsupported, .corrupt, .encrypted, .tooLarge, .timedOut, .crashed, .sandboxed: true
        case .refusedType, .sourceMissing, .unavailable, .usage, .cancelled: false
        }
    }

    /// Whether the state of the machine may be the cause, so that the cache keeps the failure for minutes only.
    public var isTransient: Bool {
        code == .timedOut || code == .crashed || (code == .tooLarge && detail.hasPrefix(Self.memoryDetail))
    }

    /// The prefix of the detail of an out-of-memory failure.
    public static let memoryDetail = "memory"
}

extension Failure.Code {
    /// The sentence for people if a caller gives none.
    var defaultMessage: String {
        switch self {
        case .unsupported: "Preview unavailable for this file type"
        case .refusedType: "Invalid file type."
        case .corrupt: "Unable to load file. File may be corrupt."
        case .encrypted: "File is protected with a password."
        case .tooLarge: "File exceeds a limit."
        case .timedOut: "File took too long to open."
        case .crashed: "Unable to load file. File may be corrupt."
        case .sandboxed: "Unable to load file. File may be corrupt."
        case .sourceMissing: "File not found."
        case .unavailable: "Service unavailable. Try again later."
        case .usage: "Invalid request."
        case .cancelled: "Cancelled."
        }
    }
}

extension Failure: CustomStringConvertible {
    /// `code: message (detail)`, for the log.
    public var description: String {
        detail.isEmpty ? "\(code.rawValue): \(message)" : "\(code.rawValue): \(message) (\(detail))"
    }
}
