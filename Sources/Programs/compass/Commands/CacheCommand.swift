import ArgumentParser
import Console
import Media
import Settings
import ThumbnailCache

/// `compass cache`: statistics, eviction, verification and purging of the cache.
struct CacheCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Look after the cache.",
        subcommands: [Stats.self, Collect.self, Verify.self, Purge.self])
}

extension CacheCommand {
    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Count what the cache holds.")

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup(title: "Settings")
        var settings: SettingsOptions

        func run() throws {
            let settings = try settings.resolve()
            let statistics = try FolderCache(of: settings).statistics()
            let rows: [(String, String, Int64)] = [
                ("entries", "sources", Int64(statistics.entries)),
                ("renditions", "renditions", Int64(statistics.renditions)),
                ("texts", "texts of pages", Int64(statistics.texts)),
                ("failures", "failures kept", Int64(statistics.failures)),
                ("statEntries", "files known by their stat", Int64(statistics.statEntries)),
                ("byteCount", "bytes on disk", statistics.byteCount),
                ("damaged", "damaged entries met", Int64(statistics.damaged)),
            ]
            if json {
                var members = [JSON.Member("path", .string(settings.cachePath))]
                members += rows.map { JSON.Member($0.0, .integer($0.2)) }
                members.append(JSON.Member("budget", .integer(Int64(clamping: settings.cacheBudget))))
                StandardOutput.write(JSON.object(members).text + "\n")
                return
            }
            StandardOutput.write(FilePath(settings.cachePath))
            StandardOutput.write("\n")
            for (key, label, value) in rows {
                let text = key == "byteCount" ? ByteCount(UInt64(clamping: value)).description : "\(value)"
                StandardOutput.write(Columns.line([("  \(label)", 28), (text, 0)]))
            }
            StandardOutput.write(Columns.line([("  budget", 28), (ByteCount(settings.cacheBudget).description, 0)]))
        }
    }

    struct Collect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "gc", abstract: "Bring the cache within its budget; the least recently used goes first.")

        @Flag(help: "Only say what would go.")
        var dryRun = false

        @OptionGroup(title: "Settings")
        var settings: SettingsOptions

        func run() throws {
            let settings = try settings.resolve()
            let cache = try FolderCache(of: settings)
            let budget = Int64(clamping: settings.cacheBudget)
            guard let report = try cache.collect(budget: budget, isDryRun: dryRun) else {
                throw Failure(.unavailable, message: "Another collection of this cache is running.")
            }
            func size(_ byteCount: Int64) -> String { ByteCount(UInt64(clamping: byteCount)).description }
            StandardOutput.write(
                "\(dryRun ? "would remove" : "removed"): \(report.evictedRenditions) renditions, "
                    + "\(report.evictedTexts) texts, \(report.droppedFailures) failures, "
                    + "\(report.droppedStatEntries) stat entries, "
                    + "\(report.removedLeftovers + report.removedTemporaries) leftovers; "
                    + "\(size(report.byteCountBefore)) before, \(size(report.byteCountAfter)) after\n")
            report.foreign.note()
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Compare every entry with its checksum. Exit status 1 where one is damaged.")

        @Flag(help: "Remove what is damaged; it is made again when it is next asked for.")
        var repair = false

        @OptionGroup(title: "Settings")
        var settings: SettingsOptions

        func run() throws {
            let settings = try settings.resolve()
            let damages = try FolderCache(of: settings).verify(repair: repair)
            for damage in damages { StandardOutput.write("\(FilePath(damage.place).shown): \(damage.reason)\n") }
            StandardError.write("compass: \(damages.count) damaged\(repair && !damages.isEmpty ? ", removed" : "")\n")
            if !damages.isEmpty && !repair { throw ExitCode(1) }
        }
    }

    struct Purge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge", abstract: "Forget a source: its facts, renditions and failures.")

        @Argument(help: ArgumentHelp("The source's digest, 64 hexadecimal digits.", valueName: "digest"))
        var digests: [String]

        @OptionGroup(title: "Settings")
        var settings: SettingsOptions

        func run() throws {
            let settings = try settings.resolve()
            let cache = try FolderCache(of: settings)
            var isMissing = false
            for text in digests {
                guard let digest = Digest(hex: text) else {
                    throw Failure(
                        .usage, message: "“\(Failure.bounded(text, to: 80))” is no digest: 64 hexadecimal digits.")
                }
                let isThere = try cache.purge(digest)
                cache.foreignFiles(of: digest).note()
                if !isThere {
                    isMissing = true
                    StandardError.write("compass: \(digest): not in the cache\n")
                }
            }
            if isMissing { throw ExitCode(1) }
        }
    }
}

extension FolderCache {
    /// Opens the cache that the settings name.
    init(of settings: Settings) throws(Failure) {
        try self.init(checking: settings.cachePath, trustedOwner: settings.cacheOwner)
    }
}

extension ForeignFiles {
    /// Reports the files that were left alone.
    fileprivate func note() {
        for path in paths { StandardError.write("compass: left \(FilePath(path).shown): no file of the cache's\n") }
        if count > paths.count { StandardError.write("compass: and \(count - paths.count) more\n") }
    }
}
