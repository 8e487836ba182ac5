package import ArgumentParser

/// `compass queue`: inspects and manages the queue.
package struct QueueGroup: ParsableCommand {
    /// Name, abstract and examples for the help.
    package static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Inspect and manage the job queue.",
        discussion: """
            Examples:
              compass queue migrate                       create the queue, or migrate it to this version
              compass queue status --watch
              compass queue list --dead                   what failed for good, and why
              compass queue show 17                       one job with all its attempts
              compass queue requeue --dead                try all dead letters again
            """,
        subcommands: [
            Status.self, List.self, Show.self, Requeue.self, Cancel.self, Pause.self, Resume.self, Prune.self,
            Migrate.self,
        ])

    /// For ArgumentParser, which fills in the values.
    package init() {}
}

extension QueueGroup {
    /// `compass queue status`.
    package struct Status: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(
            abstract: "Print jobs by kind and state, the rate, and how long the oldest has waited.")

        /// Whether the status is printed again every second.
        @Flag(help: "Refresh it every second until Ctrl-C.")
        package var watch = false

        /// Whether the output is JSON.
        @Flag(help: "Print one JSON object.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}
    }

    /// `compass queue list`.
    package struct List: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(abstract: "List jobs, the newest first.")

        /// Whether only dead letters are listed.
        @Flag(help: "Only dead letters, with their reasons.")
        package var dead = false

        /// The state of the listed jobs; `nil` for all.
        @Option(help: "Only jobs in this state.")
        package var state: StateName?

        /// The kind of the listed jobs; `nil` for all.
        @Option(help: ArgumentHelp("Only jobs of this kind.", valueName: "kind"))
        package var kind: String?

        /// The job before which the list begins; `nil` for the newest.
        @Option(help: ArgumentHelp("Only jobs older than this one: the last of the previous page.", valueName: "job"))
        package var before: Int64?

        /// The largest number of listed jobs.
        @Option(help: ArgumentHelp("The maximum number of jobs.", valueName: "count"))
        package var limit = 50

        /// Whether the output is JSON.
        @Flag(help: "Print a line of JSON for each job.")
        package var json = false

        /// The locations of queue and cache.
        @OptionGroup(title: "Settings")
        package var options: QueueOptions

        /// For ArgumentParser, which fills in the values.
        package init() {}

        /// Refuses flags that contradict each other or values that make no sense.
        package func validate() throws {
            if dead && state != nil { throw ValidationError("Use --dead or --state, not both.") }
            if limit < 1 { throw ValidationError("--limit must be at least 1.") }
        }
    }

    /// `compass queue show`.
    package struct Show: QueueCommand {
        /// Name, abstract and examples for the help.
        package static let configuration = CommandConfiguration(
            abstract: "Print a job with all its attempts, their failures and timings.")

        /// The numbers of the jobs.
        @Argument(help: ArgumentHelp("The job's number.", valueName: "job"))
        package var jobs: [Int64]

        /// Whether the output is JSON.
        @Flag(help: "Print a line of JSON for each job.")
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
}
