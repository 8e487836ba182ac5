internal import CFFmpeg
internal import Media

/// An error number of FFmpeg, and the one place where it becomes a `Failure`.
struct FFmpegError: Error, Equatable {
    let code: Int32

    /// Throws where a call's result is an error; else returns it.
    @discardableResult
    static func check(_ result: Int32) throws(FFmpegError) -> Int32 {
        if result < 0 { throw FFmpegError(code: result) }
        return result
    }

    /// FFmpeg's words for the number.
    var reason: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { buffer in
            av_strerror(code, buffer.baseAddress, buffer.count)
            return String(cString: buffer.baseAddress!)
        }
    }

    /// The failure that the number amounts to.
    ///
    /// - Parameter step: what was being done, for the detail: `open`, `decode`, …
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

    /// FFmpeg answers with several numbers, but always with the same line, where one of the limits that we gave it is
    /// reached.
    private static var limitFailure: Failure? {
        if let line = FFmpegLog.line(with: "max_streams") { return .tooManyStreams(line) }
        if let line = FFmpegLog.line(with: "exceeds specified max pixel count") { return .tooLargeFrame(line) }
        if FFmpegLog.line(with: "not on whitelist") != nil {
            return Failure(.unsupported, detail: "no container that is opened here")
        }
        return nil
    }
}

extension Failure {
    static func outOfMemory(_ detail: String) -> Failure {
        Failure(
            .tooLarge, message: "The file needs more memory than is allowed (see --memory).",
            detail: "\(memoryDetail): \(detail)")
    }

    static func tooManyStreams(_ detail: String) -> Failure {
        Failure(.tooLarge, message: "The file has more streams than are allowed (see --max-streams).", detail: detail)
    }

    static func tooLargeFrame(_ detail: String) -> Failure {
        Failure(
            .tooLarge, message: "The frame has more pixels than are allowed (see --max-frame-pixels).", detail: detail)
    }

    /// A job read what it may without finding its frame.
    static func tooMuchToRead(_ limit: UInt64) -> Failure {
        Failure(
            .tooLarge,
            message: "No frame was found in the first \(limit >> 20) MiB that were read (see --max-poster-read).",
            detail: "read \(limit) bytes")
    }
}
