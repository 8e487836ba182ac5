internal import Documents
internal import JobQueue
internal import Media
internal import People
internal import Synchronization

/// The pictures that are being made for visitors, each with the turn that it keeps until its job has ended, even if the
/// visitor has left.
final class VisitorPictures: Sendable {
    /// What one job makes, however many visitors ask for it.
    struct Name: Hashable {
        let digest: Digest
        let recipe: Recipe

        init(_ wanted: WantedPicture) { (digest, recipe) = (wanted.document.file.digest, wanted.recipe) }
    }

    private struct Making {
        let name: Name
        let turn: MeteredTurn
    }

    private let state = Mutex<[JobID: Making]>([:])

    /// The jobs that have turns: few, as turns are few.
    var jobs: [JobID] { state.withLock { Array($0.keys) } }

    /// Whether a picture already has a turn.
    func has(_ name: Name) -> Bool { state.withLock { $0.values.contains { $0.name == name } } }

    /// Keeps a turn until a job has ended. A job needs only one.
    func keep(_ turn: MeteredTurn, for name: Name, until job: JobID) {
        let isNeeded = state.withLock { state in
            guard state[job] == nil else { return false }
            state[job] = Making(name: name, turn: turn)
            return true
        }
        if !isNeeded { turn.end() }
    }

    /// Ends the turn of a job that has ended.
    func end(_ job: JobID) { state.withLock { $0.removeValue(forKey: job) }?.turn.end() }
}
