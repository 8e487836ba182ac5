internal import HTTPSyntax
internal import HTTPTypes
internal import Media
internal import NIOCore
internal import People
internal import Synchronization

/// Pictures that were answered lately, for as long as nothing has changed in the store.
///
/// What is remembered counts only under the number of changes at which it was read (`DocumentStore.changeNumber`), so a deleted
/// document's picture is not found by the next request, whichever process has deleted it.
final class PictureMemory: Sendable {
    /// A request that is answered with the same picture until something changes.
    struct Key: Hashable, Sendable {
        let owner: ID<Person>
        /// Path and query.
        let address: String
        /// The value of `Accept`.
        let accepted: String

        init(_ request: HTTPRequest, of caller: Caller) {
            owner = caller.owner
            address = request.path ?? ""
            accepted = request.headerFields[.accept] ?? ""
        }
    }

    /// A picture as it is answered.
    struct Entry: Sendable {
        let bytes: ByteBuffer
        let tag: EntityTag
        let mediaType: String
        /// Whether the address names the content.
        let isLasting: Bool
        /// The pattern of the address.
        let route: String
    }

    private struct State {
        var changeNumber: Int64 = -1
        /// By their bytes.
        var entries = Recent<Key, Entry>(cost: 16 << 20)
    }

    private let state = Mutex(State())
    private static let largestByteCount = 1 << 20

    /// The picture of a request, at this number of changes.
    func entry(_ key: Key, at changeNumber: Int64) -> Entry? {
        state.withLock { $0.changeNumber == changeNumber ? $0.entries.value(for: key) : nil }
    }

    /// Remembers what was read after `changeNumber` was asked for.
    func keep(_ entry: Entry, _ key: Key, at changeNumber: Int64) {
        let byteCount = entry.bytes.readableBytes
        guard byteCount <= Self.largestByteCount else { return }
        state.withLock { state in
            // An older request must not put its picture beside newer ones.
            guard changeNumber >= state.changeNumber else { return }
            if state.changeNumber != changeNumber { state = State(changeNumber: changeNumber) }
            state.entries.keep(entry, for: key, cost: byteCount)
        }
    }
}
