package import ArgumentParser
internal import CLinux
internal import Linux
package import Media

/// A command about the queue: its flags and help, but not its work.
///
/// The work needs SQLite. Loading SQLite would cost every call of `compass` more than a cached answer takes. So
/// `compass-queue` does the work; `compass` has these commands only for its help and completions.
package protocol QueueCommand: ParsableCommand {}

extension QueueCommand {
    /// Becomes `compass-queue`, which does the work.
    package mutating func run() throws { try QueueProgram.takeOver() }
}

/// The program that does the work of the commands about the queue.
package enum QueueProgram {
    /// The program's file name.
    package static let name = "compass-queue"

    /// The first words of the commands.
    package static let commandNames: Set<String> = ["enqueue", "backfill", "queue"]

    /// Replaces this process with that program, with the same arguments.
    ///
    /// - Throws: `unavailable` if the program is missing; otherwise this never returns.
    package static func takeOver() throws(Failure) -> Never {
        do throws(SystemError) {
            guard let folder = try Installation.folder(holding: name) else {
                throw SystemError("look for \(name)", number: ENOENT)
            }
            throw Installation.become("\(folder)/\(name)")
        } catch {
            throw Failure(
                .unavailable, message: "The program \(name) cannot be started. Reinstall Compass Media.",
                detail: "\(error)")
        }
    }
}
