package import Documents
package import Media
internal import Synchronization

/// Documents of which pictures were asked for lately, for as long as nothing has changed in the store: whoever pages through one asks for
/// many.
///
/// What is remembered counts only under the number of changes at which it was read (`DocumentStore.changeNumber`).
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

    /// Nothing is remembered yet.
    package init() {}

    /// A person's document, read by the body where it is not remembered.
    ///
    /// - Parameter changeNumber: asked for before the call.
    package func document(
        _ id: ID<Document>, of owner: ID<Person>, at changeNumber: Int64, read: () throws -> Document
    ) rethrows -> Document {
        let key = Key(document: id, owner: owner)
        let known = state.withLock { $0.changeNumber == changeNumber ? $0.documents.value(for: key) : nil }
        if let known { return known }
        let document = try read()
        state.withLock { state in
            // An older request must not put its document beside newer ones.
            guard changeNumber >= state.changeNumber else { return }
            if state.changeNumber != changeNumber { state = State(changeNumber: changeNumber) }
            state.documents.keep(document, for: key)
        }
        return document
    }
}
