internal import Linux
internal import RenderHost
internal import Synchronization
internal import Wire

/// One connection to a server: it carries one request.
final class WarmConnection: Sendable {
    let socket: MessageSocket
    /// Ends the work for it.
    let cancellation = Cancellation()
    private let opened = Time.monotonic
    private let work = Mutex<Promise<Bool>?>(nil)

    init(_ socket: MessageSocket) { self.socket = socket }

    var age: Duration { Time.monotonic - opened }

    var isAtWork: Bool { work.withLock { $0 != nil } }

    func begin() { work.withLock { $0 = Promise() } }

    func end() { work.withLock { $0 }?.fulfil(true) }

    /// Returns when the work has come to its end, as it does soon once it is cancelled.
    func waitForEnd() { _ = work.withLock { $0 }?.wait() }

    /// Whoever does not hear it any more has left, and shows that by closing the connection.
    func send(_ answer: WarmAnswer) { try? socket.send(answer.bytes) }
}
