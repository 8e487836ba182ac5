internal import CLinux
internal import Linux
package import Media
package import Settings

// Where the settings of one call of the program come from.
extension Settings {
    /// All settings: the call's flags first, then the environment, then a file, then what fits this machine.
    ///
    /// - Parameter configPath: the file; `nil` for `COMPASS_CONFIG`, the person's or the machine's.
    package init(ofCallWith flags: [Setting: String], configPath: String? = nil) throws(Failure) {
        let environment = Process.environment
        try self.init(
            flags: flags, environment: environment, file: try Self.file(configPath, environment),
            standard: StandardValues(
                cachePath: Self.standardCache(environment), queuePath: Self.standardQueue(environment),
                processorCount: Process.processorCount))
    }

    /// `COMPASS_CONFIG`, else the person's file, else the machine's; none of them is fine.
    private static func file(
        _ named: String?, _ environment: [String: String]
    ) throws(Failure) -> SettingsFile? {
        if let path = named ?? environment["COMPASS_CONFIG"] {
            guard let file = try read(path) else {
                let origin = named == nil ? " (COMPASS_CONFIG)" : ""
                throw Failure(.usage, message: "\(path)\(origin) cannot be read.")
            }
            return file
        }
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { "\($0)/.config" }
        for path in [home.map { "\($0)/compass/config" }, "/etc/compass/config"] {
            if let path, let file = try read(path) { return file }
        }
        return nil
    }

    private static func read(_ path: String) throws(Failure) -> SettingsFile? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK),
            let bytes = try? file.readAll(limit: 1 << 20)
        else { return nil }
        return try SettingsFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    /// `./cache` inside a checkout of the project, else the person's cache folder.
    private static func standardCache(_ environment: [String: String]) -> String {
        if access("cache/README.md", F_OK) == 0, access("Sources/compass/Compass.swift", F_OK) == 0 { return "cache" }
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return "\(folder)/compass" }
        if let home = environment["HOME"], !home.isEmpty { return "\(home)/.cache/compass" }
        return "/tmp/compass-cache-\(getuid())"
    }

    /// In the person's folder for state, which outlives a cleaning of caches.
    private static func standardQueue(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return "\(folder)/compass/queue.sqlite" }
        if let home = environment["HOME"], !home.isEmpty { return "\(home)/.local/state/compass/queue.sqlite" }
        return "/var/tmp/compass-\(getuid())/queue.sqlite"
    }
}
