public import Media
internal import Synchronization

/// What the child that renders a source says that it is: told before its library has seen a byte, so that nothing in the
/// file can have had a say in it but by the readers of signatures.
public final class Recognition: Sendable {
    private let state = Mutex<Facts?>(nil)

    public init() {}

    /// `nil` before a child has told, and where the readers do not know the source.
    public var facts: Facts? { state.withLock { $0 } }

    /// The first word counts: a file that was sound then may have been changed since.
    func tell(_ facts: Facts?) {
        state.withLock { if $0 == nil { $0 = facts } }
    }
}
