/// Whether the sender of a request may still make its changes.
///
/// A right can be revoked while a change waits. A store checks inside each write transaction, after everything that it
/// waits for. So no change escapes the check, and a revoked right changes nothing.
public struct ChangePermit: Sendable {
    private let check: @Sendable () throws(Refusal) -> Void

    /// Why a change may not be made.
    public enum Refusal: Error, Equatable {
        /// The right has been revoked.
        case ended
        /// It is unknown now whether the right still stands.
        case unknown(detail: String)
    }

    /// The permit of the request that this thread serves; `nil` for the service's own work, and for commands.
    @TaskLocal public static var current: ChangePermit?

    /// - Parameter check: throws unless the right still stands; it blocks.
    public init(_ check: @escaping @Sendable () throws(Refusal) -> Void) { self.check = check }

    /// Runs the calls of a request with a permit.
    public static func with(_ permit: ChangePermit?, _ call: () -> Void) {
        $current.withValue(permit, operation: call)
    }

    /// Throws unless the right still stands.
    public func require() throws(Refusal) { try check() }
}
