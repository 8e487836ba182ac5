internal import Media

/// An answer of a web server, up to a bound.
struct WebAnswer {
    let status: Int
    /// By names in lower case; of several of one name the last.
    let headers: [String: String]
    let body: [UInt8]

    /// Where a redirection leads; `nil` for other answers.
    var redirection: String? { [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil }

    /// What changes with the content: a strong entity tag, else the time of the last change (RFC 9110, 8.8). A weak tag may
    /// stay the same while bytes change.
    var version: String? {
        if let tag = headers["etag"], tag.hasPrefix("\"") { return tag }
        return headers["last-modified"]
    }

    /// The place of the body in its file, and the file's length; `nil` where the answer does not say so.
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

    /// What an answer means that is no success.
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
