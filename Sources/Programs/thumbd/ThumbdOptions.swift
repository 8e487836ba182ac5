import ArgumentParser
import Console
import Daemon

/// The flags of `thumbd`; a setting without a flag is set by the environment or the file.
struct ThumbdOptions: SettingFlags {
    var given: [Setting: String] = [:]
    var config: String?
    var roots: [String] = []
    var logFormat: LogSettings.Format?
    var logLevel = LogSettings.Level.info

    static let flags: [CommandFlag<ThumbdOptions>] = [
        .option("config", "File of settings: lines of `name = value`.", value: "file") { $0.config = $1 },
        .setting(.queue, help: "File of the queue; it is created if it is missing."),
        .setting(.cache),
        .options(
            Setting.roots.flag!.name, Setting.roots.flag!.help, value: Setting.roots.flag!.value!
        ) { $0.roots.append($1) },
        .setting(.database), .setting(.store), .setting(.s3Endpoint),
        .setting(.remoteSources), .setting(.allowPrivateAddresses), .setting(.listen),
        .setting(.jobs, help: "Jobs that run at once (by default: one for each processor)."),
        .setting(.timeout), .setting(.memory), .setting(.memoryBudget), .setting(.cacheOwner), .setting(.cacheBudget),
        .setting(.maxSource), .setting(.lease), .setting(.drain), .setting(.controlGroup), .setting(.requireSandbox),
        .option("log-format", "text or json; by default text on a terminal.") { $0.logFormat = $1 },
        .option(
            "log-level", "trace, debug, info, notice, warning, error or critical.", standard: LogSettings.Level.info
        ) { $0.logLevel = $1 },
    ]

    /// The texts that the flags give to settings. A root may be relative to the working folder.
    var settings: [Setting: String] {
        if roots.isEmpty { return given }
        let absolute = roots.map { $0.hasPrefix("/") ? $0 : "\(Settings.workingFolder)/\($0)" }
        return given.merging([.roots: absolute.joined(separator: ":")]) { $1 }
    }
}
