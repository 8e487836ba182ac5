import Console
import JobQueue
import Media

/// What a command changes in the queue: lines for a person as it happens, in the end one object for a program.
///
/// Where jobs or kinds are changed one by one, it comes even if one is refused: those that it names were changed.
struct ChangeReport {
    private let command: String
    private let path: String
    private let json: Bool

    /// - Parameter command: its last word, as a person wrote it.
    init(_ command: String, of access: QueueAccess, json: Bool) {
        self.command = command
        path = access.path
        self.json = json
    }

    /// Says it to a person.
    func say(_ line: String) {
        if !json { StandardOutput.write(line + "\n") }
    }

    /// Says it to a program.
    ///
    /// - Parameter members: what the object has beside queue and command.
    func close(_ members: KeyValuePairs<String, JSON?>) {
        guard json, case .object(let own) = JSON.object(members) else { return }
        let head = [JSON.Member("queue", .string(path)), JSON.Member("command", .string(command))]
        StandardOutput.write(JSON.object(head + own).text + "\n")
    }

    /// Says to a program which jobs were changed.
    func close(jobs: [JobID]) {
        close(["jobs": .array(jobs.map { .integer($0.rawValue) }), "jobCount": .integer(Int64(jobs.count))])
    }

    /// Says to a program which kinds were changed.
    func close(kinds: [JobKind]) {
        close(["kinds": .array(kinds.map { .string($0.rawValue) })])
    }
}
