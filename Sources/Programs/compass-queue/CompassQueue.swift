import ArgumentParser
import Console
import Media

/// `compass-queue`: does the work of commands that need the queue's database. `compass` becomes this program for them.
@main
struct CompassQueue: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compass",
        abstract: "The queue commands of compass.",
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

/// A command about the queue, with its work.
protocol QueueWork: QueueCommand {
    /// Does the work and prints the results.
    func perform() throws
}
