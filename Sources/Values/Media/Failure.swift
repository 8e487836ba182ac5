/// Why there is no rendition: the one error value that crosses modules, processes and the cache.
///
/// `message` is for people and never names a path or quotes content; `detail` is for the log and the command line (what
/// the library said, which call, which limit) and is bounded. A failure never travels without its `code`.
public struct Failure: Error, Hashable, Sendable {
    /// What happened, from a closed list; its raw value is the word in JSON and in the cache.
    public let code: Code

    /// One sentence for a person: what is wrong, and where it helps what to do.
    public let message: String

    /// What the library, kernel or check said, in at most 500 characters without control characters; may be empty.
    public let detail: String

    public init(_ code: Code, message: String? = nil, detail: String = "") {
        self.code = code
        self.message = Self.bounded(message ?? code.defaultMessage)
        self.detail = Self.bounded(detail)
    }

    /// Text from outside as one printable line: control characters become spaces, the length is bounded.
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
    /// The failures of DESIGN's table.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No preview for this media type.
        case unsupported
        /// Name or content not allowed for the document type.
        case refusedType
        /// The library could not read it.
        case corrupt
        /// Needs a password.
        case encrypted
        /// Over a limit: bytes, pixels, pages, memory.
        case tooLarge
        /// The deadline passed and the child was killed.
        case timedOut
        /// The child died of a signal or left without an answer.
        case crashed
        /// The child made a call that its sandbox forbids.
        case sandboxed
        /// The file is not there, or is none that can be read.
        case sourceMissing
        /// Cache, queue, database or renderer out of reach.
        case unavailable
        /// A flag or recipe that makes no sense.
        case usage
        /// The person ended it.
        case cancelled
    }

    /// The program's exit status for this failure: 1 the file's, 2 the caller's, 3 a service's, 130 ended by the person.
    public var exitStatus: Int32 {
        switch code {
        case .usage: 2
        case .unavailable: 3
        case .cancelled: 130
        default: 1
        }
    }

    /// Whether the same bytes will fail the same way with the same renderer: such a failure is kept in the cache.
    public var belongsToContent: Bool {
        switch code {
        case .unsupported, .corrupt, .encrypted, .tooLarge, .timedOut, .crashed, .sandboxed: true
        case .refusedType, .sourceMissing, .unavailable, .usage, .cancelled: false
        }
    }

    /// Whether the machine's state may have been to blame, so that the cache keeps it for minutes only.
    public var isTransient: Bool {
        code == .timedOut || code == .crashed || (code == .tooLarge && detail.hasPrefix(Self.memoryDetail))
    }

    /// How the detail of a failure from lack of memory begins.
    public static let memoryDetail = "memory"
}

extension Failure.Code {
    /// PRODUCT's texts where it has one.
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
