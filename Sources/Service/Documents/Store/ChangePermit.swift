/// Whether the one who has sent a request may still make its changes.
///
/// A right can end while a change waits for its turn. A store asks inside each transaction of changes, behind all that it waits for: so no
/// change can be forgotten, and a right that had ended before changes nothing.
public struct ChangePermit: Sendable {
    private let check: @Sendable () throws -> Void

    /// The permit of the request that this thread works for; `nil` for the service's own work, and for commands.
    @TaskLocal public static var current: ChangePermit?

    /// - Parameter check: blocks; throws `DocumentError.notAllowed` where the right has ended.
    public init(_ check: @escaping @Sendable () throws -> Void) { self.check = check }

    /// Runs the calls of a request.
    public static func with(_ permit: ChangePermit?, _ call: () -> Void) {
        $current.withValue(permit, operation: call)
    }

    /// - Throws: `notAllowed`, or `unavailable`.
    public func require() throws { try check() }
}
