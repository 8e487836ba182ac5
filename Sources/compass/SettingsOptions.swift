import ArgumentParser
import CLinux
import Linux
import Media
import Settings

/// The flags that every command shares: where the cache is, and what one file may use.
struct SettingsOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Folder of the cache.", valueName: "folder"))
    var cache: String?

    @Option(help: ArgumentHelp("Seconds that one file may take.", valueName: "seconds"))
    var timeout: String?

    @Option(help: ArgumentHelp("Private memory that one file may take.", valueName: "bytes"))
    var memory: String?

    @Option(help: ArgumentHelp("Largest picture that is decoded in strips.", valueName: "pixels"))
    var maxPixels: String?

    @Option(help: ArgumentHelp("Largest picture that must be whole in memory.", valueName: "pixels"))
    var maxWholePixels: String?

    @Option(help: ArgumentHelp("Largest video frame.", valueName: "pixels"))
    var maxFramePixels: String?

    @Option(help: ArgumentHelp("Bytes that the cache may take.", valueName: "bytes"))
    var cacheBudget: String?

    @Flag(help: "Open nothing where the machine lacks a layer of the sandbox.")
    var requireSandbox = false

    /// All settings, these flags first.
    func resolve(jobs: String? = nil) throws(Failure) -> Settings {
        let given: [Setting: String?] = [
            .cache: cache, .timeout: timeout, .memory: memory, .maxPixels: maxPixels,
            .maxWholePixels: maxWholePixels, .maxFramePixels: maxFramePixels, .cacheBudget: cacheBudget, .jobs: jobs,
            .requireSandbox: requireSandbox ? "yes" : nil,
        ]
        let environment = Process.environment
        return try Settings(
            flags: given.compactMapValues { $0 }, environment: environment, file: try Self.file(environment),
            standard: StandardValues(
                cachePath: Self.standardCache(environment), processorCount: Process.processorCount))
    }

    /// `COMPASS_CONFIG`, else the person's file, else the machine's; none of them is fine.
    private static func file(_ environment: [String: String]) throws(Failure) -> SettingsFile? {
        if let path = environment["COMPASS_CONFIG"] {
            guard let file = try read(path) else {
                throw Failure(.usage, message: "\(path) (COMPASS_CONFIG) cannot be read.")
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
}
