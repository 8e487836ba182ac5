internal import ArgumentParser

/// The flags of settings that the commands about the queue share: the locations of the queue and the cache.
package struct QueueOptions: SettingFlags {
    /// The text of each flag that was given.
    package var given: [Setting: String] = [:]

    /// No flag given.
    package init() {}

    /// The flags under “Settings”.
    package static let flags: [CommandFlag<QueueOptions>] = [
        .setting(.queue, completion: .file()), .setting(.cache, completion: .directory), .setting(.cacheOwner),
    ]
}

/// A job priority by its name in `--priority`.
package enum PriorityName: String, CaseIterable, ExpressibleByArgument {
    case interactive, upload, backfill
}

/// A job state by its name in `--state`.
package enum StateName: String, CaseIterable, ExpressibleByArgument {
    case available, leased, done, dead, cancelled
}

/// A span of time with its unit: `90s`, `15m`, `12h` or `7d`.
package struct Age: ExpressibleByArgument {
    /// The parsed span.
    package let duration: Duration
    /// The text that was parsed, for the help.
    package let defaultValueDescription: String

    /// `nil` for a text without a unit, and for more than 100,000 units.
    package init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = Int64(argument.dropLast()),
            (0...100_000).contains(count)
        else { return nil }
        duration = .seconds(count * unit)
        defaultValueDescription = argument
    }
}
