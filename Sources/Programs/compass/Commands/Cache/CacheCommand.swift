import ArgumentParser
import Console
import Media
import ThumbnailCache

/// `compass cache`: statistics, eviction, verification and purging of the machine's cache, and of the pictures that
/// machines share in the bucket.
///
/// Each command does the machine's own part first, even if the bucket is unreachable.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Inspect and manage the cache, and the pictures that machines share in a bucket.",
        subcommands: [Stats.self, Collect.self, Verify.self, Purge.self])
}

/// The flags of all cache commands.
struct CacheOptions: SettingFlags, Equatable {
    /// The text of each flag that was given.
    var given: [Setting: String] = [:]

    static let flags: [CommandFlag<CacheOptions>] =
        SettingsOptions.settings.map { .setting($0) } + [
            .setting(.store, help: "The bucket whose shared pictures are managed as well."),
            .setting(.sharedBudget),
        ]
}

extension FolderCache {
    /// Opens the cache that the settings name.
    init(of settings: Settings) throws(Failure) {
        try self.init(checking: settings.cachePath, trustedOwner: settings.cacheOwner)
    }
}

extension ForeignFiles {
    /// Reports the files that were left alone.
    ///
    /// - Parameter path: returns the whole path of a file.
    func note(_ path: (String) -> String = { $0 }) {
        for name in paths {
            StandardError.write("compass: left \(FilePath(path(name)).shown): not a cache file\n")
        }
        if count > paths.count { StandardError.write("compass: and \(count - paths.count) more\n") }
    }
}
