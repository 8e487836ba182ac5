internal import CLinux
internal import Linux
package import Media

// The sources of settings for one call of a program.
extension Settings {
    /// Resolves all settings from flags, the environment, the configuration file and the defaults for this machine.
    ///
    /// - Parameters:
    ///   - flags: the text of each flag that was given.
    /// - configPath: the configuration file; `nil` for the file of `COMPASS_CONFIG`, of the user or of the machine.
    package init(ofCallWith flags: [Setting: String], configPath: String? = nil) throws(Failure) {
        let environment = Process.environment
        let checkout = Installation.checkout()
        try Self.refuseOtherThanText(flags, environment)
        try self.init(
            flags: flags, environment: environment, file: try Self.file(configPath, environment),
            standard: StandardValues(
                // Searched only if nothing else names the cache: a cached answer should cost few system calls.
                cachePath: flags[.cache] ?? environment[Setting.cache.variable]
                    ?? Self.standardCache(environment, checkout),
                queuePath: Self.standardQueue(environment),
                dataPath: Self.standardData(environment, checkout),
                processorCount: Process.processorCount))
    }

    /// The file of `COMPASS_CONFIG`, else the user's, else the machine's; `nil` if there is none.
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

    /// A setting's text cannot hold a path that is not UTF-8: it would name another file.
    private static func refuseOtherThanText(
        _ flags: [Setting: String], _ environment: [String: String]
    ) throws(Failure) {
        for (setting, value) in flags {
            try refuseOtherThanText(value, of: "--\(setting.flag?.name ?? setting.rawValue)")
        }
        // No lazy sequence: the runtime needs an eighth of the time of a cached answer to make its type.
        for (name, value) in environment where name.hasPrefix("COMPASS_") { try refuseOtherThanText(value, of: name) }
    }

    private static func refuseOtherThanText(_ value: String, of name: String) throws(Failure) {
        if FilePath(carrier: value).text == nil {
            throw Failure(.usage, message: "\(name) is not valid UTF-8. Choose a path that is.")
        }
    }

    private static func read(_ path: String) throws(Failure) -> SettingsFile? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK),
            let bytes = try? file.readAll(limit: 1 << 20)
        else { return nil }
        return try SettingsFile(path: path, text: String(decoding: bytes, as: UTF8.self))
    }

    /// `cache` in the checkout that this program was built in, else the user's cache folder.
    private static func standardCache(_ environment: [String: String], _ checkout: String?) -> String {
        if let folder = checkout.flatMap(cache(ofCheckout:)) { return folder }
        if let folder = environment["XDG_CACHE_HOME"], isFolder(folder) { return "\(folder)/compass" }
        if let home = environment["HOME"], isFolder(home) { return "\(home)/.cache/compass" }
        return "/tmp/compass-cache-\(getuid())"
    }

    /// The checkout's cache folder, if this user or root owns it; relative if the checkout is the working folder.
    private static func cache(ofCheckout folder: String) -> String? {
        let path = "\(folder)/cache"
        guard access("\(path)/README.md", F_OK) == 0, let status = try? FileStatus.of(linkPath: path),
            status.isDirectory, [geteuid(), 0].contains(status.owner)
        else { return nil }
        guard let here = try? FileStatus.of(path: "."), let there = try? FileStatus.of(path: folder) else {
            return path
        }
        return here.isSameFile(as: there) ? "cache" : path
    }

    /// Whether a variable names a folder: an absolute path in UTF-8. Other values are ignored.
    private static func isFolder(_ path: String) -> Bool { path.hasPrefix("/") && FilePath(carrier: path).text != nil }

    /// `data` in the checkout that this program was built in, else a folder next to the queue.
    private static func standardData(_ environment: [String: String], _ checkout: String?) -> String {
        if let checkout { return "\(checkout)/data" }
        let queue = standardQueue(environment)
        return String(queue[..<queue.lastIndex(of: "/")!])
    }

    /// The queue in the user's folder for state, which survives the cleaning of caches.
    private static func standardQueue(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_STATE_HOME"], isFolder(folder) { return "\(folder)/compass/queue.sqlite" }
        if let home = environment["HOME"], isFolder(home) { return "\(home)/.local/state/compass/queue.sqlite" }
        return "\(QueueFolder.withoutHome)/queue.sqlite"
    }
}
