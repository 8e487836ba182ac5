package import Documents
package import Media
internal import Synchronization

/// A cache of documents whose pictures were requested lately, valid until the store changes: a person who pages through
/// one requests many.
///
/// A cached document counts only for the change number at which it was read (`DocumentStore.changeNumber`).
package final class DocumentMemory: Sendable {
    private struct Key: Hashable, Sendable {
        let document: ID<Document>
        let owner: ID<Person>
    }

    private struct State {
        var changeNumber: Int64 = -1
        var documents = Recent<Key, Document>(cost: 500)
    }

    private let state = Mutex(State())

    /// An empty cache.
    package init() {}

    /// A person's document, read by the body if it is not cached.
    ///
    /// - Parameter changeNumber: read before the call.
    package func document(
        _ id: ID<Document>, of owner: ID<Person>, at changeNumber: Int64, read: () throws -> Document
    ) rethrows -> Document {
        let key = Key(document: id, owner: owner)
        let known = state.withLock { $0.changeNumber == changeNumber ? $0.documents.value(for: key) : nil }
        if let known { return known }
        let document = try read()
        state.withLock { state in
            // An older request must not add its document to newer ones.
            guard changeNumber >= state.changeNumber else { return }
            if state.changeNumber != changeNumber { state = State(changeNumber: changeNumber) }
            state.documents.keep(document, for: key)
        }
        return document
    }
}
