package import ArgumentParser

// The commands that change the queue.
extension QueueGroup {
    /// `compass queue requeue`.
    package struct Requeue: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(
            abstract: "Queue finished jobs (dead, cancelled or done) again; their history is kept.")

        /// The numbers of the jobs.
        @Argument(help: ArgumentHelp("The jobs' numbers.", valueName: "job"))
        package var jobs: [Int64] = []

        /// Whether all dead letters are requeued.
        @Flag(help: "All dead letters.")
        package var dead = false

        /// Whether the output is JSON.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}

        /// Refuses flags that contradict each other or values that make no sense.
        package func validate() throws {
            if jobs.isEmpty != dead { throw ValidationError("Name jobs, or use --dead.") }
        }
    }

    /// `compass queue cancel`.
    package struct Cancel: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(
            abstract: "Cancel unfinished jobs; a worker that holds one drops it.")

        /// The numbers of the jobs.
        @Argument(help: ArgumentHelp("The jobs' numbers.", valueName: "job"))
        package var jobs: [Int64]

        /// Whether the output is JSON.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}

        /// Refuses flags that contradict each other or values that make no sense.
        package func validate() throws {
            if jobs.isEmpty { throw ValidationError("Name at least one job.") }
        }
    }

    /// `compass queue pause`.
    package struct Pause: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(
            abstract: "Stop workers from claiming jobs of a kind; running jobs continue.")

        /// The kinds' names.
        @Argument(help: ArgumentHelp("The kinds (by default: renditions).", valueName: "kind"))
        package var kinds: [String] = []

        /// Whether the output is JSON.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}
    }

    /// `compass queue resume`.
    package struct Resume: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(abstract: "Let workers claim jobs of a kind again.")

        /// The kinds' names.
        @Argument(help: ArgumentHelp("The kinds (by default: renditions).", valueName: "kind"))
        package var kinds: [String] = []

        /// Whether the output is JSON.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}
    }

    /// `compass queue prune`.
    package struct Prune: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(
            abstract: "Delete done jobs that are old or exceed a count; dead letters are kept.")

        /// The age beyond which done jobs are deleted.
        @Option(help: ArgumentHelp("Delete done jobs older than this: 90s, 15m, 12h or 7d.", valueName: "age"))
        package var olderThan = Age(argument: "7d")!

        /// The number of younger done jobs that stay.
        @Option(help: ArgumentHelp("Keep this many of the others, the newest.", valueName: "count"))
        package var keep = 100_000

        /// Whether the output is JSON.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}

        /// Refuses flags that contradict each other or values that make no sense.
        package func validate() throws {
            if keep < 0 { throw ValidationError("--keep must be 0 or more.") }
        }
    }

    /// `compass queue migrate`.
    package struct Migrate: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(
            abstract: "Create the queue if it does not exist, or migrate it to this program's version; idempotent.")

        /// Whether the output is JSON.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}
    }
}
