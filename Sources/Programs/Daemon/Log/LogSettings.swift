internal import ArgumentParser
package import Logging

/// The format and level of the log, as flags choose them.
package struct LogSettings: Sendable {
    /// Lines for a person, or objects for a program.
    package enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case text
        case json
    }

    /// swift-log's levels, as flags name them.
    package enum Level: String, ExpressibleByArgument, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical

        var level: Logger.Level { Logger.Level(rawValue: rawValue)! }
    }

    private let format: Format
    private let level: Level

    /// The settings of a program's log.
    package init(format: Format, level: Level) {
        self.format = format
        self.level = level
    }

    /// A logger whose lines go to standard error.
    ///
    /// - Parameter label: the program's name.
    package func makeLogger(_ label: String) -> Logger {
        var logger = Logger(label: label) { [format] _ in LineLog(format: format) }
        logger.logLevel = level.level
        return logger
    }
}
