import ArgumentParser
import Logging

/// The format and level of the log, as flags choose them.
struct LogSettings: Sendable {
    /// Lines for a person, or objects for a program.
    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case text
        case json
    }

    /// swift-log's levels, as flags name them.
    enum Level: String, ExpressibleByArgument, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical

        var level: Logger.Level { Logger.Level(rawValue: rawValue)! }
    }

    let format: Format
    let level: Level

    /// A logger whose lines go to standard error.
    func makeLogger() -> Logger {
        var logger = Logger(label: "thumbd") { [format] _ in LineLog(format: format) }
        logger.logLevel = level.level
        return logger
    }
}
