public import Media
internal import Synchronization

/// The rendering child's statement on what a source is.
///
/// The child makes it before its library sees a byte: the file can influence it only through the signature readers.
public final class Recognition: Sendable {
    private let state = Mutex<Facts?>(nil)

    /// A recognition without a statement yet.
    public init() {}

    /// `nil` before a child's statement, and if the readers do not know the source.
    public var facts: Facts? { state.withLock { $0 } }

    /// Only the first statement counts: the file may have been changed since.
    func tell(_ facts: Facts?) {
        state.withLock { if $0 == nil { $0 = facts } }
    }
}
