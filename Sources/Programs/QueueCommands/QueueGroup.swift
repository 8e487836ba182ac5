package import ArgumentParser

/// `compass queue`: look after the queue.
package struct QueueGroup: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Look after the job queue.",
        discussion: """
            Examples:
              compass queue migrate                       make the queue, or bring it to this version
              compass queue status --watch
              compass queue list --dead                   what failed for good, and why
              compass queue show 17                       one job with all its attempts
              compass queue requeue --dead                try all dead letters again
            """,
        subcommands: [
            Status.self, List.self, Show.self, Requeue.self, Cancel.self, Pause.self, Resume.self, Prune.self,
            Migrate.self,
        ])

    package init() {}
}

extension QueueGroup {
    /// `compass queue status`.
    package struct Status: QueueCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Print jobs by kind and state, the rate, and how long the oldest has waited.")

        /// Whether to draw it again and again.
        @Flag(help: "Draw it anew every second, until Ctrl-C.")
        package var watch = false

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}
    }

    /// `compass queue list`.
    package struct List: QueueCommand {
        package static let configuration = CommandConfiguration(abstract: "List jobs, the newest first.")

        /// Whether only dead letters are wanted.
        @Flag(help: "Dead letters alone, with their reasons.")
        package var dead = false

        /// Jobs in this state alone.
        @Option(help: "Jobs in this state alone.")
        package var state: StateName?

        /// Jobs of this kind alone.
        @Option(help: ArgumentHelp("Jobs of this kind alone.", valueName: "kind"))
        package var kind: String?

        /// Jobs before this one alone.
        @Option(help: ArgumentHelp("Jobs older than this one: the last of the page before.", valueName: "job"))
        package var before: Int64?

        /// How many at most.
        @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
        package var limit = 50

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object a line, one line a job.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}

        package func validate() throws {
            if dead && state != nil { throw ValidationError("Use --dead or --state, not both.") }
            if limit < 1 { throw ValidationError("--limit is at least 1.") }
        }
    }

    /// `compass queue show`.
    package struct Show: QueueCommand {
        package static let configuration = CommandConfiguration(
            abstract: "Print a job with all its attempts, their failures and timings.")

        /// The jobs' numbers.
        @Argument(help: ArgumentHelp("The job's number.", valueName: "job"))
        package var jobs: [Int64]

        /// Whether programs read what is printed.
        @Flag(help: "Print one JSON object a line, one line a job.")
        package var json = false

        /// Where queue and cache lie.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        package init() {}

        package func validate() throws {
            if jobs.isEmpty { throw ValidationError("Name at least one job.") }
        }
    }
}
