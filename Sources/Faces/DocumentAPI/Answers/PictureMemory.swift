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
    struct Key: Hashable {
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
    struct Entry {
        let bytes: ByteBuffer
        let tag: EntityTag
        let mediaType: String
        /// Whether the address names the content.
        let isLasting: Bool
        /// The pattern of the address.
        let route: String
    }

    /// The two youngest parts of what was answered: when the newer one is full, the older one goes.
    private struct State {
        var changeNumber: Int64 = -1
        var newer: [Key: Entry] = [:]
        var older: [Key: Entry] = [:]
        var byteCount = 0
    }

    private let state = Mutex(State())

    /// The picture of a request, at this number of changes.
    func entry(_ key: Key, at changeNumber: Int64) -> Entry? {
        state.withLock { state in
            guard state.changeNumber == changeNumber else { return nil }
            if let entry = state.newer[key] { return entry }
            guard let entry = state.older[key] else { return nil }
            Self.add(entry, key, to: &state)
            return entry
        }
    }

    /// Remembers what was read after `changeNumber` was asked for.
    func keep(_ entry: Entry, _ key: Key, at changeNumber: Int64) {
        state.withLock { state in
            if state.changeNumber != changeNumber {
                // An older request must not put its picture beside newer ones.
                guard changeNumber > state.changeNumber else { return }
                state = State(changeNumber: changeNumber)
            }
            Self.add(entry, key, to: &state)
        }
    }

    private static func add(_ entry: Entry, _ key: Key, to state: inout State) {
        let count = entry.bytes.readableBytes
        guard count <= largestByteCount else { return }
        if state.byteCount + count > halfByteCount {
            state.older = state.newer
            state.newer = [:]
            state.byteCount = 0
        }
        state.newer[key] = entry
        state.byteCount += count
    }

    /// With the older half 16 MiB of pictures.
    private static let halfByteCount = 8 << 20
    private static let largestByteCount = 1 << 20
}
