internal import ArgumentParser
internal import Console
package import Media
package import Settings

/// The flags that the commands about the queue share.
package struct QueueOptions: ParsableArguments {
    @Option(help: ArgumentHelp("File of the queue.", valueName: "file"), completion: .file())
    var queue: String?

    @Option(help: ArgumentHelp("Folder of the cache.", valueName: "folder"), completion: .directory)
    var cache: String?

    @Option(help: ArgumentHelp("Another user whom the cache's folder may belong to.", valueName: "number"))
    var cacheOwner: String?

    package init() {}

    /// All settings, these flags first.
    package func resolve() throws(Failure) -> Settings {
        let given: [Setting: String?] = [.queue: queue, .cache: cache, .cacheOwner: cacheOwner]
        return try Settings(ofCallWith: given.compactMapValues { $0 })
    }
}

/// How urgent a job is, as a flag says it.
package enum PriorityName: String, CaseIterable, ExpressibleByArgument {
    case interactive, upload, backfill
}

/// Where a job is in its life, as a flag says it.
package enum StateName: String, CaseIterable, ExpressibleByArgument {
    case available, leased, done, dead, cancelled
}

/// A span of time as people write it: `90s`, `15m`, `12h`, `7d`.
package struct Age: ExpressibleByArgument {
    /// The span itself.
    package let duration: Duration
    package let defaultValueDescription: String

    package init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()),
            (0...100_000).contains(count)
        else { return nil }
        duration = .seconds(count * unit)
        defaultValueDescription = argument
    }
}
