internal import Linux
internal import RenderHost
internal import Synchronization
internal import Wire

/// One connection to a server: it carries one request.
final class WarmConnection: Sendable {
    let socket: MessageSocket
    /// Ends the work for this connection.
    let cancellation = Cancellation()
    private let opened = Time.monotonic
    private let work = Mutex<Promise<Bool>?>(nil)

    init(_ socket: MessageSocket) { self.socket = socket }

    var age: Duration { Time.monotonic - opened }

    var isAtWork: Bool { work.withLock { $0 != nil } }

    func begin() { work.withLock { $0 = Promise() } }

    func end() { work.withLock { $0 }?.fulfil(true) }

    /// Waits for the end of the work, which comes soon after its cancellation.
    func waitForEnd() { _ = work.withLock { $0 }?.wait() }

    /// Sends an answer. A client that does not receive it has left, and its connection closes.
    func send(_ answer: WarmAnswer) { try? socket.send(answer.bytes) }
}
