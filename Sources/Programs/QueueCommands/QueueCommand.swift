package import ArgumentParser
internal import CLinux
internal import Linux
package import Media

/// A command about the queue, as it is parsed.
///
/// What these commands do needs SQLite, whose loading would cost every call of `compass` more than a cached answer takes. So
/// `compass-queue` does it; `compass` knows these commands for its help and completions alone.
package protocol QueueCommand: ParsableCommand {}

extension QueueCommand {
    package mutating func run() throws { try QueueProgram.takeOver() }
}

/// The program that carries out the commands about the queue.
package enum QueueProgram {
    /// Its file's name.
    package static let name = "compass-queue"

    /// The first words of its commands.
    package static let commandNames: Set<String> = ["enqueue", "backfill", "queue"]

    /// Becomes that program, with this one's arguments.
    ///
    /// - Throws: `unavailable` where it is missing; otherwise this never returns.
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
