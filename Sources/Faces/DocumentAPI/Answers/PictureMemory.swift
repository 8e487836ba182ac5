internal import HTTPSyntax
internal import HTTPTypes
internal import Media
internal import NIOCore
internal import People
internal import Synchronization

/// A cache of recently answered pictures, valid until the store changes.
///
/// A cached picture counts only for the change number at which it was read (`DocumentStore.changeNumber`). The next
/// request does not find a deleted document's picture, whichever process has deleted it.
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
        /// The cost is in bytes.
        var entries = Recent<Key, Entry>(cost: 16 << 20)
    }

    private let state = Mutex(State())
    private static let largestByteCount = 1 << 20

    /// The picture of a request, at this number of changes.
    func entry(_ key: Key, at changeNumber: Int64) -> Entry? {
        state.withLock { $0.changeNumber == changeNumber ? $0.entries.value(for: key) : nil }
    }

    /// Caches a picture that was read after `changeNumber`.
    func keep(_ entry: Entry, _ key: Key, at changeNumber: Int64) {
        let byteCount = entry.bytes.readableBytes
        guard byteCount <= Self.largestByteCount else { return }
        state.withLock { state in
            // An older request must not add its picture to newer ones.
            guard changeNumber >= state.changeNumber else { return }
            if state.changeNumber != changeNumber { state = State(changeNumber: changeNumber) }
            state.entries.keep(entry, for: key, cost: byteCount)
        }
    }
}
