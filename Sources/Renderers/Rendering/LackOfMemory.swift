internal import CLinux
internal import Linux
internal import Media
internal import Wire

/// The answer of a child that runs out of memory, built while it still has some.
///
/// Few libraries report a failed allocation: C++, GLib and Swift end the process. The host would treat that as a crash,
/// and the file as poison after two crashes.
enum LackOfMemory {
    /// Installs a handler that answers `tooLarge` when the process would end for lack of memory.
    ///
    /// - Parameter socket: the task's reply socket.
    static func answer(on socket: Int32) throws(SystemError) {
        let failure = Failure(.tooLarge, detail: "\(Failure.memoryDetail): the file needs more than one may use")
        let message = RenderAnswer.failed(failure).bytes
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: message.count)
        _ = bytes.initialize(from: message)
        try checking("sigaction") { clinux_answer_without_memory(socket, bytes.baseAddress, bytes.count) }
    }
}
