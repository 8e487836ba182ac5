import CLinux
import Console
import Linux
import Media
import SourceFiles
import Wire

/// What `compass doctor` says about the database and the store that the settings name; nothing if they name none.
struct ServiceChecks {
    private let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    var all: [DoctorCommand.Check] { [database, store].compactMap { $0 } }

    /// The program that talks to databases opens the queue, which is next to the documents. It has the settings of this
    /// call, because no flag of this command sets a database.
    private var database: DoctorCommand.Check? {
        guard let place = settings.database else { return nil }
        var check = DoctorCommand.Check(name: "database")
        let start = Time.monotonic
        do throws(SystemError) {
            guard let folder = try Installation.folder(holding: QueueProgram.name) else {
                check.problem = "the program \(QueueProgram.name) is missing — rebuild or reinstall"
                return check
            }
            let output = try ProgramOutput(of: "\(folder)/\(QueueProgram.name)", ["queue", "status"])
            if output.status != 0 {
                let line = output.text.split(separator: "\n").last.map(String.init) ?? "status \(output.status)"
                check.problem = line.hasPrefix("compass: ") ? String(line.dropFirst("compass: ".count)) : line
            }
        } catch {
            check.problem = "\(error)"
        }
        let kind = if case .server = place { "PostgreSQL" } else { "SQLite" }
        check.found = "\(kind) answers: \(milliseconds(since: start)) including a new process"
        return check
    }

    private var store: DoctorCommand.Check? {
        guard let place = settings.store else { return nil }
        var check = DoctorCommand.Check(name: "store")
        let start = Time.monotonic
        switch place {
        case .folder(let path):
            check.found = path
            if access(path, R_OK | W_OK | X_OK) != 0 {
                check.problem = "\(path): \(SystemError.last("access").reason) — check the setting store"
            }
        case .bucket:
            do throws(Failure) {
                try SourceFile.probeBucket(FetchTarget("\(place)", settings))
                check.found = "\(place): an object was written, read and removed in \(milliseconds(since: start))"
            } catch {
                check.problem = error.line
            }
        }
        return check
    }

    private func milliseconds(since start: Duration) -> String {
        "\(Int((Time.monotonic - start).milliseconds.rounded())) ms"
    }
}
