/// Whether the one who has sent a request may still make its changes.
///
/// A right can end while a change waits for its turn. A store asks inside each transaction of changes, behind all that it waits for: so no
/// change can be forgotten, and a right that had ended before changes nothing.
public struct ChangePermit: Sendable {
    private let check: @Sendable () throws(Refusal) -> Void

    /// Why a change may not be made.
    public enum Refusal: Error, Equatable {
        /// The right has ended.
        case ended
        /// Nobody can say now whether it stands.
        case unknown(detail: String)
    }

    /// The permit of the request that this thread works for; `nil` for the service's own work, and for commands.
    @TaskLocal public static var current: ChangePermit?

    /// - Parameter check: throws unless the right still stands; it blocks.
    public init(_ check: @escaping @Sendable () throws(Refusal) -> Void) { self.check = check }

    /// Runs the calls of a request.
    public static func with(_ permit: ChangePermit?, _ call: () -> Void) {
        $current.withValue(permit, operation: call)
    }

    /// Does nothing if the right still stands.
    public func require() throws(Refusal) { try check() }
}
