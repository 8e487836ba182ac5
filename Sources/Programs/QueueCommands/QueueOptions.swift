internal import ArgumentParser
package import Console
package import Settings

/// The flags of settings that the commands about the queue share: where the queue and the cache are.
package struct QueueOptions: SettingFlags {
    package var given: [Setting: String] = [:]

    package init() {}

    package static let flags: [CommandFlag<QueueOptions>] = [
        .setting(.queue, completion: .file()), .setting(.cache, completion: .directory), .setting(.cacheOwner),
    ]
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
