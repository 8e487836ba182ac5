internal import CLinux
internal import Linux
internal import Media
internal import Wire

/// The answer of a child to which no memory is left, not even for an answer: made while there is some.
///
/// Few libraries report that an allocation failed; C++, GLib and Swift end the process. The host would take that for a crash,
/// and a crash twice over for a file that is poison.
enum LackOfMemory {
    /// Has the process answer by `tooLarge` from now on, where it would end for want of memory.
    ///
    /// - Parameter socket: the job's own.
    static func answer(on socket: Int32) throws(SystemError) {
        let failure = Failure(.tooLarge, detail: "\(Failure.memoryDetail): the file needs more than one may use")
        let message = RenderAnswer.failed(failure).bytes
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: message.count)
        _ = bytes.initialize(from: message)
        try checking("sigaction") { clinux_answer_without_memory(socket, bytes.baseAddress, bytes.count) }
    }
}
