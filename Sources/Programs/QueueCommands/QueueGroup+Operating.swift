package import ArgumentParser

// The commands that change something.
extension QueueGroup {
    /// `compass queue requeue`.
    package struct Requeue: QueueCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Queue finished jobs again: dead, cancelled or done; their history stays.")

        /// The jobs' numbers.
        @Argument(help: ArgumentHelp("The jobs' numbers.", valueName: "job"))
        package var jobs: [Int64] = []

        /// Whether all dead letters are meant.
        @Flag(help: "All dead letters.")
        package var dead = false

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}

        package func validate() throws {
            if jobs.isEmpty != dead { throw ValidationError("Name jobs, or say --dead.") }
        }
    }

    /// `compass queue cancel`.
    package struct Cancel: QueueCommand {
        package static let configuration = CommandConfiguration(
            abstract: "End unfinished jobs; a worker that has one drops it.")

        /// The jobs' numbers.
        @Argument(help: ArgumentHelp("The jobs' numbers.", valueName: "job"))
        package var jobs: [Int64]

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}

        package func validate() throws {
            if jobs.isEmpty { throw ValidationError("Name at least one job.") }
        }
    }

    /// `compass queue pause`.
    package struct Pause: QueueCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Let no worker claim jobs of a kind; what is at work goes on.")

        /// The kinds' names.
        @Argument(help: ArgumentHelp("The kinds (renditions, as a rule).", valueName: "kind"))
        package var kinds: [String] = []

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}
    }

    /// `compass queue resume`.
    package struct Resume: QueueCommand {
        package static let configuration = CommandConfiguration(abstract: "End a pause.")

        /// The kinds' names.
        @Argument(help: ArgumentHelp("The kinds (renditions, as a rule).", valueName: "kind"))
        package var kinds: [String] = []

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}
    }

    /// `compass queue prune`.
    package struct Prune: QueueCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Delete done jobs that are old or too many; dead letters stay.")

        /// How old a done job may become.
        @Option(help: ArgumentHelp("Done jobs older than this go: 90s, 15m, 12h or 7d.", valueName: "age"))
        package var olderThan = Age(argument: "7d")!

        /// How many done jobs stay.
        @Option(help: ArgumentHelp("Of the others the latest so many stay.", valueName: "count"))
        package var keep = 100_000

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}

        package func validate() throws {
            if keep < 0 { throw ValidationError("--keep is 0 or more.") }
        }
    }

    /// `compass queue migrate`.
    package struct Migrate: QueueCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Make the queue where there is none, and bring it to this program's version; harmless otherwise.")

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}
    }
}
