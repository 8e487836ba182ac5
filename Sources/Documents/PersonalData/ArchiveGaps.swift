internal import Synchronization

/// What was found missing so far: the first ten thousand things, and the number of the others.
final class ArchiveGaps: Sendable {
    private let state = Mutex((things: [AccountArchive.Missing](), further: 0))

    private static let most = 10_000

    /// Records data of the person that does not get into the archive, or not as a whole.
    func note(_ kind: String, _ name: String, _ reason: String) {
        state.withLock { state in
            guard state.things.count < Self.most else {
                state.further += 1
                return
            }
            state.things.append(AccountArchive.Missing(kind: kind, name: name, reason: reason))
        }
    }

    /// Everything that was recorded. The last element counts the things that are not named.
    var things: [AccountArchive.Missing] {
        let (things, further) = state.withLock { ($0.things, $0.further) }
        guard further > 0 else { return things }
        return things + [
            AccountArchive.Missing(
                kind: "list", name: "missing.json", reason: "\(further) more items are not listed")
        ]
    }
}
