internal import Synchronization

/// Idle handles, with their open connections.
final class TransferPool: Sendable {
    private let idle = Mutex<[Transfer]>([])
    private static let most = 16

    /// Lends a handle.
    func with<Answer>(_ body: (Transfer) throws(S3Fault) -> Answer) throws(S3Fault) -> Answer {
        guard let transfer = idle.withLock({ $0.popLast() }) ?? Transfer() else {
            throw .away("no memory for a connection")
        }
        defer { idle.withLock { if $0.count < Self.most { $0.append(transfer) } } }
        return try body(transfer)
    }
}
