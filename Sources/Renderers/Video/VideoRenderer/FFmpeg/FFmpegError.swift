internal import CFFmpeg
internal import Media

/// An FFmpeg error number, and its translation to a `Failure`.
struct FFmpegError: Error, Equatable {
    let code: Int32

    /// Returns a call's result, or throws it if it is an error.
    @discardableResult
    static func check(_ result: Int32) throws(FFmpegError) -> Int32 {
        if result < 0 { throw FFmpegError(code: result) }
        return result
    }

    /// FFmpeg's message for the number.
    var reason: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { buffer in
            av_strerror(code, buffer.baseAddress, buffer.count)
            return String(cString: buffer.baseAddress!)
        }
    }

    /// The failure for the number.
    ///
    /// - Parameter step: the step that failed, for the detail: `open`, `decode`, …
    func failure(in step: String) -> Failure {
        let line = FFmpegLog.lastError
        let detail = line.isEmpty ? "\(step): \(reason)" : "\(step): \(reason); \(line)"
        switch code {
        case cffmpeg_error_memory: return .outOfMemory(detail)
        case cffmpeg_error_no_decoder, cffmpeg_error_no_demuxer, cffmpeg_error_not_written:
            return Failure(.unsupported, detail: detail)
        default:
            return Self.limitFailure ?? Failure(.corrupt, detail: detail)
        }
    }

    /// The failure for one of this project's limits. FFmpeg returns various numbers for these, but always logs the same
    /// line.
    private static var limitFailure: Failure? {
        if let line = FFmpegLog.line(with: "max_streams") { return .tooManyStreams(line) }
        if let line = FFmpegLog.line(with: "exceeds specified max pixel count") { return .tooLargeFrame(line) }
        if FFmpegLog.line(with: "not on whitelist") != nil {
            return Failure(.unsupported, detail: "a container that is not supported")
        }
        return nil
    }
}

extension Failure {
    /// The failure if the memory limit is reached.
    static func outOfMemory(_ detail: String) -> Failure {
        Failure(
            .tooLarge, message: "The file needs more memory than is allowed (see --memory).",
            detail: "\(memoryDetail): \(detail)")
    }

    /// The failure if the limit on streams is reached.
    static func tooManyStreams(_ detail: String) -> Failure {
        Failure(.tooLarge, message: "The file has more streams than are allowed (see --max-streams).", detail: detail)
    }

    /// The failure if the limit on pixels of a frame is reached.
    static func tooLargeFrame(_ detail: String) -> Failure {
        Failure(
            .tooLarge, message: "The frame has more pixels than are allowed (see --max-frame-pixels).", detail: detail)
    }

    /// The failure if the limit on bytes read is reached before a frame was found.
    static func tooMuchToRead(_ limit: UInt64) -> Failure {
        Failure(
            .tooLarge,
            message: "No frame was found in the first \(limit >> 20) MiB that were read (see --max-poster-read).",
            detail: "read \(limit) bytes")
    }
}
