import ArgumentParser
import Console
import Media
import ThumbnailCache

extension CacheCommand {
    struct Purge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "purge",
            abstract: "Remove a source's facts, renditions and failures from the cache and the bucket.")

        @Argument(help: ArgumentHelp("The source's digest, 64 hexadecimal digits.", valueName: "digest"))
        var digests: [String]

        @OptionGroup(title: "Settings")
        var settings: CacheOptions

        func run() throws {
            let settings = try settings.resolve()
            let digests = try digests.map(Self.digest)
            let cache = try FolderCache(of: settings)
            var missing = Set(digests)
            for digest in digests {
                let isThere = try cache.purge(digest)
                cache.foreignFiles(of: digest).note()
                if isThere { missing.remove(digest) }
            }
            let shared = try SharedPlace(settings)
            if let shared {
                for digest in digests {
                    let (isThere, foreign) = try shared.files.purge(digest)
                    foreign.note(shared.path)
                    if isThere { missing.remove(digest) }
                }
            }
            let place = shared.map { " nor in \($0.store)" } ?? ""
            for digest in digests where missing.contains(digest) {
                StandardError.write("compass: \(digest): not in the cache\(place)\n")
            }
            if !missing.isEmpty { throw ExitCode(1) }
        }

        private static func digest(_ text: String) throws(Failure) -> Digest {
            guard let digest = Digest(hex: text) else {
                throw Failure(
                    .usage, message: "“\(Failure.bounded(text, to: 80))” is not a digest: 64 hexadecimal digits.")
            }
            return digest
        }
    }
}
