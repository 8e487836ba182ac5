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
        try Self.refuseOtherThanText(flags, environment)
        try self.init(
            flags: flags, environment: environment, file: try Self.file(configPath, environment),
            standard: StandardValues(
                // Looked for where it counts alone: a cached answer is worth few calls of the kernel.
                cachePath: flags[.cache] ?? environment[Setting.cache.variable] ?? Self.standardCache(environment),
                queuePath: Self.standardQueue(environment),
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

    /// A path that is no UTF-8 would be another one in a setting's text.
    private static func refuseOtherThanText(
        _ flags: [Setting: String], _ environment: [String: String]
    ) throws(Failure) {
        for (setting, value) in flags {
            try refuseOtherThanText(value, of: "--\(setting.flag?.name ?? setting.rawValue)")
        }
        // No lazy sequence: to make its type takes the runtime an eighth of an answer from the cache.
        for (name, value) in environment where name.hasPrefix("COMPASS_") { try refuseOtherThanText(value, of: name) }
    }

    private static func refuseOtherThanText(_ value: String, of name: String) throws(Failure) {
        if FilePath(carrier: value).text == nil {
            throw Failure(.usage, message: "\(name) is no UTF-8. Choose a path whose name is.")
        }
    }

    private static func read(_ path: String) throws(Failure) -> SettingsFile? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK),
            let bytes = try? file.readAll(limit: 1 << 20)
        else { return nil }
        return try SettingsFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    /// `cache` in the checkout that this program was built in, else the person's cache folder.
    private static func standardCache(_ environment: [String: String]) -> String {
        if let folder = Installation.checkout().flatMap(cache(ofCheckout:)) { return folder }
        if let folder = environment["XDG_CACHE_HOME"], isFolder(folder) { return "\(folder)/compass" }
        if let home = environment["HOME"], isFolder(home) { return "\(home)/.cache/compass" }
        return "/tmp/compass-cache-\(getuid())"
    }

    /// The folder that a checkout keeps for its programs, if it is this user's or root's; relative in the checkout itself.
    private static func cache(ofCheckout folder: String) -> String? {
        let path = "\(folder)/cache"
        guard access("\(path)/README.md", F_OK) == 0, let status = try? FileStatus.of(linkPath: path),
            status.isDirectory, [geteuid(), 0].contains(status.owner)
        else { return nil }
        guard let here = try? FileStatus.of(path: "."), let there = try? FileStatus.of(path: folder) else {
            return path
        }
        return here.device == there.device && here.inode == there.inode ? "cache" : path
    }

    /// What is no absolute path counts for nothing, as does what is no UTF-8.
    private static func isFolder(_ path: String) -> Bool { path.hasPrefix("/") && FilePath(carrier: path).text != nil }

    /// In the person's folder for state, which outlives a cleaning of caches.
    private static func standardQueue(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_STATE_HOME"], isFolder(folder) { return "\(folder)/compass/queue.sqlite" }
        if let home = environment["HOME"], isFolder(home) { return "\(home)/.local/state/compass/queue.sqlite" }
        return "\(QueueFolder.withoutHome)/queue.sqlite"
    }
}
