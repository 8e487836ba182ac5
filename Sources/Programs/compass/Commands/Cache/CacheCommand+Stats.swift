import ArgumentParser
import Console
import Media
import ThumbnailCache

extension CacheCommand {
    struct Stats: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stats", abstract: "Count what the cache holds, and then what machines share in the bucket.")

        @Flag(help: "Print a line of JSON for the cache and, if one is set, for the bucket.")
        var json = false

        @OptionGroup(title: "Settings")
        var settings: CacheOptions

        func run() throws {
            let settings = try settings.resolve()
            let statistics = try FolderCache(of: settings).statistics()
            let own = Block(
                "path", settings.cachePath,
                [
                    Row("entries", "sources", Int64(statistics.entries)),
                    Row("renditions", "renditions", Int64(statistics.renditions)),
                    Row("texts", "texts of pages", Int64(statistics.texts)),
                    Row("failures", "failures kept", Int64(statistics.failures)),
                    Row("statEntries", "files identified by stat", Int64(statistics.statEntries)),
                    Row("byteCount", "bytes on disk", statistics.byteCount, isByteCount: true),
                    Row("damaged", "damaged entries found", Int64(statistics.damaged)),
                    Row("budget", "budget", Int64(clamping: settings.cacheBudget), isByteCount: true),
                ])
            own.print(asJSON: json)
            guard let shared = try SharedPlace(settings) else { return }
            try Self.block(shared, budget: settings.sharedBudget).print(asJSON: json)
        }

        private static func block(_ shared: SharedPlace, budget: UInt64?) throws(Failure) -> Block {
            let statistics = try shared.files.statistics()
            return Block(
                "store", shared.store,
                [
                    Row("entries", "sources", Int64(statistics.entries)),
                    Row("renditions", "renditions", Int64(statistics.renditions)),
                    Row("facts", "sources with facts", Int64(statistics.facts)),
                    Row("byteCount", "bytes", statistics.byteCount, isByteCount: true),
                    Row("foreign", "other files", Int64(statistics.foreign)),
                    Row("budget", "budget", budget.map { Int64(clamping: $0) }, isByteCount: true),
                ])
        }
    }

    /// A figure with its names in JSON and for people.
    private struct Row {
        let key: String
        let label: String
        let value: Int64?
        let isByteCount: Bool

        init(_ key: String, _ label: String, _ value: Int64?, isByteCount: Bool = false) {
            (self.key, self.label, self.value, self.isByteCount) = (key, label, value, isByteCount)
        }

        var text: String {
            guard let value else { return "none" }
            return isByteCount ? ByteCount(UInt64(clamping: value)).description : "\(value)"
        }
    }

    /// The figures of one place.
    private struct Block {
        let key: String
        let place: String
        let rows: [Row]

        init(_ key: String, _ place: String, _ rows: [Row]) {
            (self.key, self.place, self.rows) = (key, place, rows)
        }

        func print(asJSON: Bool) {
            if asJSON {
                let members = rows.map { JSON.Member($0.key, $0.value.map(JSON.integer) ?? .null) }
                StandardOutput.write(JSON.object([JSON.Member(key, .string(place))] + members).text + "\n")
                return
            }
            StandardOutput.write(FilePath(place))
            StandardOutput.write("\n")
            for row in rows { StandardOutput.write(Columns.line([("  \(row.label)", 28), (row.text, 0)])) }
        }
    }
}
