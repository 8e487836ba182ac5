internal import CVips
internal import Media

/// What libvips said went wrong: one text that all of the library appends to.
enum VipsError {
    /// The text since the last call, as one line; empties it.
    static func take() -> String {
        guard let text = vips_error_buffer_copy() else { return "" }
        defer { g_free(text) }
        let lines = String(cString: text).split(separator: "\n").joined(separator: "; ")
        return lines.isEmpty ? VipsLog.lastWarning : lines
    }

    /// The failure that the text amounts to: `tooLarge` where memory ran out, else `corrupt`.
    static func failure(in step: String) -> Failure {
        let text = take()
        guard memoryTexts.contains(where: text.contains) else {
            return Failure(.corrupt, detail: text.isEmpty ? "\(step) failed" : text)
        }
        return Failure(
            .tooLarge, message: "The picture needs more memory than is allowed (see --memory).",
            detail: "\(Failure.memoryDetail): \(text)")
    }

    /// How libvips, libjpeg, libpng and libheif say that memory ran out.
    private static let memoryTexts = [
        "out of memory", "Out of memory", "Insufficient memory", "Memory allocation", "alloc fail",
    ]
}
