internal import CVips
internal import Media

/// libvips' error buffer: one text to which all of the library appends.
enum VipsError {
    /// The buffer's text as one line; empties the buffer.
    static func take() -> String {
        guard let text = vips_error_buffer_copy() else { return "" }
        defer { g_free(text) }
        let lines = String(cString: text).split(separator: "\n").joined(separator: "; ")
        return lines.isEmpty ? VipsLog.lastWarning : lines
    }

    /// The failure that the text states: `tooLarge` if memory ran out, else `corrupt`.
    static func failure(in step: String) -> Failure {
        let text = take()
        guard memoryTexts.contains(where: text.contains) else {
            return Failure(.corrupt, detail: text.isEmpty ? "\(step) failed" : text)
        }
        return Failure(
            .tooLarge, message: "The picture needs more memory than is allowed (see --memory).",
            detail: "\(Failure.memoryDetail): \(text)")
    }

    /// The words with which libvips, libjpeg, libpng and libheif report that memory ran out.
    private static let memoryTexts = [
        "out of memory", "Out of memory", "Insufficient memory", "Memory allocation", "alloc fail",
    ]
}
