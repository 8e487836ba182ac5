import ArgumentParser
import Console
import Media
import QueueCommands

/// `compass-queue`: the commands of `compass` that need the queue's database. `compass` becomes this program for them.
@main
struct CompassQueue: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compass",
        abstract: "The commands of compass about the queue.",
        subcommands: [EnqueueCommand.self, BackfillCommand.self, QueueGroup.self])

    static func main() {
        Process.prepare()
        do {
            var command = try parseAsRoot(Process.arguments)
            if let work = command as? any QueueWork { try work.perform() } else { try command.run() }
            Process.exit(0)
        } catch {
            leave(with: error)
        }
    }
}

/// A command with what it does, which only this program knows.
protocol QueueWork: QueueCommand {
    func perform() throws
}
