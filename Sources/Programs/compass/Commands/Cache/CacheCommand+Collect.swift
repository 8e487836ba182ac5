import ArgumentParser
import Console
import Media
import ThumbnailCache

extension CacheCommand {
    struct Collect: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "gc",
            abstract: "Evict the least recently used entries until the cache fits its budget.",
            discussion:
                "Then evict the oldest pictures that machines share in the bucket, if they have a budget.")

        @Flag(help: "Only show what would be removed.")
        var dryRun = false

        @OptionGroup(title: "Settings")
        var settings: CacheOptions

        private var verb: String { dryRun ? "would remove" : "removed" }

        func run() throws {
            let settings = try settings.resolve()
            let cache = try FolderCache(of: settings)
            let budget = Int64(clamping: settings.cacheBudget)
            guard let report = try cache.collect(budget: budget, isDryRun: dryRun) else {
                throw Failure(.unavailable, message: "Another collection of this cache is running.")
            }
            StandardOutput.write(
                "\(verb): \(report.evictedRenditions) renditions, "
                    + "\(report.evictedTexts) texts, \(report.droppedFailures) failures, "
                    + "\(report.droppedStatEntries) stat entries, "
                    + "\(report.removedLeftovers + report.removedTemporaries) leftovers; "
                    + "\(Self.sizes(report.byteCountBefore, report.byteCountAfter))\n")
            report.foreign.note()
            guard let budget = settings.sharedBudget else {
                guard let store = SharedPlace.store(settings) else { return }
                return StandardOutput.write(
                    "\(store): left alone, since its pictures have no budget (setting shared-budget)\n")
            }
            if let shared = try SharedPlace(settings) { try collect(shared, budget: Int64(clamping: budget)) }
        }

        private func collect(_ shared: SharedPlace, budget: Int64) throws(Failure) {
            let report = try shared.files.collect(budget: budget, isDryRun: dryRun)
            StandardOutput.write(
                "\(shared.store): \(verb): \(report.removedRenditions) renditions, \(report.removedFacts) facts; "
                    + "\(Self.sizes(report.byteCountBefore, report.byteCountAfter))\n")
            report.foreign.note(shared.path)
        }

        private static func sizes(_ before: Int64, _ after: Int64) -> String {
            let (before, after) = (ByteCount(UInt64(clamping: before)), ByteCount(UInt64(clamping: after)))
            return "\(before) before, \(after) after"
        }
    }
}
