import ArgumentParser
import Console
import Media
import ThumbnailCache

extension CacheCommand {
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Compare every entry with its checksum. Exit status 1 if one is damaged.",
            discussion: "Then read and check each picture that machines share in the bucket.")

        @Flag(help: "Remove damaged entries; they are made again when next requested.")
        var repair = false

        @OptionGroup(title: "Settings")
        var settings: CacheOptions

        func run() throws {
            let settings = try settings.resolve()
            let damages = try FolderCache(of: settings).verify(repair: repair)
            for damage in damages { name(damage, at: damage.place) }
            count(damages.count)
            var damageCount = damages.count
            if let shared = try SharedPlace(settings) {
                let sharedCount = try shared.files.verify(repair: repair) { name($0, at: shared.path($0.place)) }
                count(sharedCount, in: "\(shared.store): ")
                damageCount += sharedCount
            }
            if damageCount > 0 && !repair { throw ExitCode(1) }
        }

        private func name(_ damage: CacheDamage, at place: String) {
            StandardOutput.write("\(FilePath(place).shown): \(damage.reason)\n")
        }

        private func count(_ count: Int, in place: String = "") {
            StandardError.write("compass: \(place)\(count) damaged\(repair && count > 0 ? ", removed" : "")\n")
        }
    }
}
