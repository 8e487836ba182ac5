internal import Media

/// An answer of a web server, up to a limit.
struct WebAnswer {
    let status: Int
    /// The header fields by lower-case name; of several with one name, the last.
    let headers: [String: String]
    let body: [UInt8]

    /// The target of a redirection; `nil` for other answers.
    var redirection: String? { [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil }

    /// A value that changes with the content: a strong entity tag, or else the time of the last change (RFC 9110, 8.8).
    /// A weak tag may stay the same when bytes change.
    var version: String? {
        if let tag = headers["etag"], tag.hasPrefix("\"") { return tag }
        return headers["last-modified"]
    }

    /// The range of the body in its file, and the file's length; `nil` if the answer does not state them.
    var contentRange: (range: Range<Int64>, byteCount: Int64)? {
        guard let text = headers["content-range"], text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let byteCount = Int64(parts[1]) else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], 0 <= first, first <= last, last < byteCount
        else {
            return nil
        }
        return (first..<last + 1, byteCount)
    }

    /// The meaning of an answer that is not a success.
    var failure: Failure {
        let detail = "HTTP \(status)"
        return switch status {
        case 401, 403:
            Failure(
                .sourceMissing, message: "The server does not allow this file to be read. Check the address.",
                detail: detail
            )
        case 408, 425, 429, 500..<600:
            Failure(.unavailable, message: "The server cannot send the file now. Try again later.", detail: detail)
        default: Failure(.sourceMissing, message: "The server does not send this file.", detail: detail)
        }
    }
}
