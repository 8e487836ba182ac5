internal import Documents
internal import JobQueue
internal import Media
internal import Synchronization

/// Pictures that may be requested next, latest wish first, and the one that is being made.
///
/// Only one is made at a time, so that a picture that nobody waits for takes at most one of a worker's slots.
final class PicturesAhead: Sendable {
    private let state = Mutex(State())

    private struct State {
        var wishes: [Wish] = []
        var order: Order?
    }

    /// A picture of a document.
    struct Wish {
        let document: Document
        let recipe: Recipe

        /// Whether both have the same place in the cache.
        func makesSame(as other: Wish) -> Bool {
            recipe == other.recipe && document.file.digest == other.document.file.digest
        }
    }

    /// The job of the picture that is being made.
    struct Order {
        let job: JobID
        let digest: Digest
    }

    /// The picture that is being made.
    var order: Order? {
        get { state.withLock { $0.order } }
        set { state.withLock { $0.order = newValue } }
    }

    /// Adds a wish before all others; the oldest beyond the limit are dropped.
    ///
    /// - Parameter isLast: whether it goes behind all others instead, and only if there is room.
    func wish(for recipe: Recipe, of document: Document, isLast: Bool = false) {
        let wish = Wish(document: document, recipe: recipe)
        state.withLock { state in
            if isLast {
                guard state.wishes.count < Self.mostWishes,
                    !state.wishes.contains(where: { $0.makesSame(as: wish) })
                else { return }
                return state.wishes.append(wish)
            }
            state.wishes.removeAll { $0.makesSame(as: wish) }
            state.wishes.insert(wish, at: 0)
            if state.wishes.count > Self.mostWishes { state.wishes.removeLast() }
        }
    }

    /// Takes the latest wish.
    func next() -> Wish? {
        state.withLock { $0.wishes.isEmpty ? nil : $0.wishes.removeFirst() }
    }

    /// A list of documents, and some pages.
    private static let mostWishes = 64
}
