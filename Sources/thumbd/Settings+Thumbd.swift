import CLinux
import Linux
import Media
import Settings

// Where the settings of one run come from.
extension Settings {
    /// All settings: flags first, then the environment, then a file, then what fits this machine.
    ///
    /// - Parameter configPath: the file; `nil` for `COMPASS_CONFIG`, the person's or the machine's.
    init(ofThumbdWith flags: [Setting: String], configPath: String?) throws(Failure) {
        let environment = Self.environment
        try self.init(
            flags: flags, environment: environment, file: try Self.file(configPath, environment),
            standard: StandardValues(
                cachePath: Self.standardCache(environment), queuePath: Self.standardQueue(environment),
                processorCount: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))))
    }

    /// One line a setting: name, value, origin, meaning.
    var listing: String {
        entries.map { entry in
            let origin =
                switch entry.origin {
                case .flag: "flag"
                case .environment: entry.setting.variable
                case .file(let path): path
                case .standard: "default"
                }
            return [(entry.setting.rawValue, 17), (entry.text, 28), (origin, 18)].map { text, width in
                text + String(repeating: " ", count: max(0, width - text.count)) + " "
            }.joined() + entry.setting.summary + "\n"
        }.joined()
    }

    /// Where this process runs.
    static var workingFolder: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func file(_ named: String?, _ environment: [String: String]) throws(Failure) -> SettingsFile? {
        if let path = named ?? environment["COMPASS_CONFIG"] {
            guard let file = try read(path) else { throw Failure(.usage, message: "\(path) cannot be read.") }
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

    private static func standardCache(_ environment: [String: String]) -> String {
        if access("cache/README.md", F_OK) == 0, access("Sources/compass/Compass.swift", F_OK) == 0 { return "cache" }
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") { return "\(folder)/compass" }
        if let home = environment["HOME"], !home.isEmpty { return "\(home)/.cache/compass" }
        return "/tmp/compass-cache-\(getuid())"
    }

    private static func standardQueue(_ environment: [String: String]) -> String {
        if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return "\(folder)/compass/queue.sqlite" }
        if let home = environment["HOME"], !home.isEmpty { return "\(home)/.local/state/compass/queue.sqlite" }
        return "/var/tmp/compass-\(getuid())/queue.sqlite"
    }

    /// The environment as a dictionary; of two equal names the first counts, as for `getenv`.
    static var environment: [String: String] {
        var values: [String: String] = [:]
        guard var next = clinux_environment() else { return values }
        while let entry = next.pointee {
            let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, values[String(parts[0])] == nil { values[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return values
    }
}
