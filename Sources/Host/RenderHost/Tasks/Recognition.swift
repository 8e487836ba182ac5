public import Media
internal import Synchronization

/// The rendering child's word on what a source is.
///
/// The child says it before its library sees a byte: nothing in the file can influence it but through the readers of signatures.
public final class Recognition: Sendable {
    private let state = Mutex<Facts?>(nil)

    /// A recognition that no child has told yet.
    public init() {}

    /// `nil` before a child has told, and where the readers do not know the source.
    public var facts: Facts? { state.withLock { $0 } }

    /// Only the first word counts: the file may have been changed since.
    func tell(_ facts: Facts?) {
        state.withLock { if $0 == nil { $0 = facts } }
    }
}
