import Console
import JobQueue
import Media

/// The output of a command that changes the queue: a line for each change, or with `--json` one object at the end.
///
/// The object is printed even if the change of one job or kind was refused; it names the changed ones.
struct ChangeReport {
    private let command: String
    private let path: String
    private let json: Bool

    /// - Parameter command: the last word of the command's name.
    init(_ command: String, of access: QueueAccess, json: Bool) {
        self.command = command
        path = access.path
        self.json = json
    }

    /// Prints a line unless `--json` is given.
    func say(_ line: String) {
        if !json { StandardOutput.write(line + "\n") }
    }

    /// Prints the object of `--json`.
    ///
    /// - Parameter members: the members other than `queue` and `command`.
    func close(_ members: KeyValuePairs<String, JSON?>) {
        guard json, case .object(let own) = JSON.object(members) else { return }
        let head = [JSON.Member("queue", .string(path)), JSON.Member("command", .string(command))]
        StandardOutput.write(JSON.object(head + own).text + "\n")
    }

    /// Prints the object of `--json` with the changed jobs.
    func close(jobs: [JobID]) {
        close(["jobs": .array(jobs.map { .integer($0.rawValue) }), "jobCount": .integer(Int64(jobs.count))])
    }

    /// Prints the object of `--json` with the changed kinds.
    func close(kinds: [JobKind]) {
        close(["kinds": .array(kinds.map { .string($0.rawValue) })])
    }
}
