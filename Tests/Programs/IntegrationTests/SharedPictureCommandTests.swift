import Hashing
import Media
import Objects
import StoreSupport
import TestDeadline
import TestSupport
import Testing
import ThumbnailCache

/// The built `compass` with a bucket of SeaweedFS, which it asks by the built `compass-fetch`.
@Suite("compass cache over the pictures that machines share", .serialized, .deadline)
struct SharedPictureCommandTests {
    private let server = try! TestStore.shared.get()
    private let prefix = "shared-\(UInt64.random(in: 0...UInt64.max))/ü b"
    private static let recipe = Preset.grid.recipe

    private var store: String { "s3://\(TestStore.bucket)/\(prefix)" }
    private var pictures: BucketPictures { BucketPictures(server.client(), prefix: prefix) }

    private func run(
        _ program: CompassProgram, _ arguments: [String], at address: String? = nil, bucket: String? = nil
    ) throws -> CompassProgram.Output {
        try program.run(
            ["cache"] + arguments,
            environment: [
                "COMPASS_STORE": bucket.map { "s3://\($0)" } ?? store,
                "COMPASS_S3_ENDPOINT": address ?? server.address, "AWS_ACCESS_KEY_ID": TestStore.accessKey,
                "AWS_SECRET_ACCESS_KEY": TestStore.secretKey,
            ])
    }

    /// A program whose cache has a rendition, with the digest of its source.
    private func made() throws -> (CompassProgram, Digest) {
        let program = try CompassProgram()
        let output = try program.run(
            ["thumb", "--alone", "--json", "--preset", "grid", Checkout.sample("orientation-1.jpg")])
        let digest = try #require(output.json.first?["digest"]?.string.flatMap { Digest(hex: $0) })
        return (program, digest)
    }

    /// Keeps in the bucket what the program's cache has, as a worker does.
    private func share(_ program: CompassProgram, _ digest: Digest) throws {
        var entry = SharedEntry(of: digest, in: FolderCache(path: program.path("cache")), and: pictures)
        try entry.share([Self.recipe])
    }

    @Test("Each command does the machine's cache, then the bucket")
    func commands() throws {
        let (program, digest) = try made()
        defer { program.remove() }
        try share(program, digest)
        try pictures.probe()
        let statistics = try run(program, ["stats", "--json", "--shared-budget", "2G"]).json
        try #require(statistics.count == 2)
        #expect(statistics[0]["renditions"]?.int == 1 && statistics[0]["path"]?.string == program.path("cache"))
        #expect(statistics[1]["store"]?.string == store && statistics[1]["entries"]?.int == 1)
        #expect(statistics[1]["renditions"]?.int == 1 && statistics[1]["facts"]?.int == 1)
        #expect(statistics[1]["foreign"]?.int == 0 && statistics[1]["budget"]?.int == 2 << 30)
        let size = try #require(statistics[1]["byteCount"]?.int)
        let picture = try #require(try pictures.find("\(Self.recipe.name).picture", of: digest))
        #expect(size > picture.count)
        let shown = try run(program, ["stats"]).lines
        #expect(shown.first == program.path("cache") && shown.contains(store))
        #expect(shown.last?.split(separator: " ") == ["budget", "none"])

        // A damaged picture is named, and goes where that is asked for.
        #expect(try run(program, ["verify"]).status == 0)
        try pictures.keep([1, 2, 3], as: "\(Self.recipe.name).picture", of: digest)
        let place = "\(store)/pictures/\(digest)/\(Self.recipe.name).picture"
        for arguments in [["verify"], ["verify", "--repair"]] {
            let verified = try run(program, arguments)
            #expect(verified.status == (arguments.count == 1 ? 1 : 0))
            #expect(verified.lines == ["\(place): its record's check fails"])
            #expect(verified.errorLines.count == 2 && verified.errorLines[0] == "compass: 0 damaged")
        }
        #expect(try run(program, ["verify"]).lines.isEmpty)
        #expect(try pictures.find("\(Self.recipe.name).picture", of: digest) == nil)

        // Without a budget of its own the bucket is left alone.
        let alone = try run(program, ["gc"])
        #expect(alone.status == 0 && alone.lines.count == 2 && alone.lines[1].hasPrefix("\(store): left alone"))
        try share(program, digest)
        let dry = try run(program, ["gc", "--dry-run", "--shared-budget", "1"])
        #expect(dry.lines.last?.hasPrefix("\(store): would remove: 1 renditions, 1 facts; ") == true)
        #expect(try pictures.find("facts.json", of: digest) != nil)
        let collected = try run(program, ["gc", "--shared-budget", "1"])
        #expect(collected.lines.last?.hasPrefix("\(store): removed: 1 renditions, 1 facts; ") == true)
        #expect(collected.lines.last?.hasSuffix(", 0 B after") == true)
        #expect(try run(program, ["stats", "--json"]).json.last?["entries"]?.int == 0)
        #expect(try run(program, ["stats", "--json"]).json.first?["entries"]?.int == 1)

        // A source is forgotten in both places.
        try share(program, digest)
        #expect(try run(program, ["purge", digest.hex]).status == 0)
        #expect(try run(program, ["stats", "--json"]).json.map { $0["entries"]?.int } == [0, 0])
        let missing = try run(program, ["purge", digest.hex])
        #expect(missing.status == 1)
        #expect(missing.errorLines == ["compass: \(digest): not in the cache nor in \(store)"])
    }

    @Test("A source that the bucket alone has is forgotten there")
    func purgeOfShared() throws {
        let (program, digest) = try made()
        defer { program.remove() }
        try share(program, digest)
        #expect(try program.run(["cache", "purge", digest.hex]).status == 0)
        #expect(try run(program, ["purge", digest.hex]).status == 0)
        #expect(try pictures.find("facts.json", of: digest) == nil)
    }

    @Test("A list of more than a thousand pictures is counted and collected to its end")
    func longList() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let pictures = pictures
        for number in 0..<1003 {
            try pictures.keep([7], as: "a-00000000.picture", of: SHA256.digest(of: Array("\(number)".utf8)))
        }
        #expect(try run(program, ["stats", "--json"]).json.last?["entries"]?.int == 1003)
        let collected = try run(program, ["gc", "--shared-budget", "10"])
        #expect(collected.lines.last == "\(store): removed: 994 renditions, 0 facts; 1.0 kB before, 9 B after")
        #expect(try run(program, ["stats", "--json"]).json.last?["renditions"]?.int == 9)
    }

    @Test(
        "A bucket that is out of reach or missing ends the call with 3, after the machine's own part",
        arguments: [false, true])
    func away(isMissing: Bool) throws {
        let (program, digest) = try made()
        defer { program.remove() }
        func expectFailure(_ arguments: [String], lines: Int) throws {
            let output =
                isMissing
                ? try run(program, arguments, bucket: "no-such-bucket")
                : try run(program, arguments, at: "http://127.0.0.1:9")
            #expect(output.status == 3 && output.lines.count == lines, "\(output.standardOutput)")
            let words = isMissing ? "the store has no bucket no-such-bucket" : "the store does not answer"
            #expect(output.errorLines.last?.contains(words) == true, "\(output.standardError)")
        }
        try expectFailure(["stats", "--json"], lines: 1)
        try expectFailure(["verify"], lines: 0)
        try expectFailure(["gc", "--shared-budget", "1", "--cache-budget", "1"], lines: 1)
        #expect(try program.run(["cache", "stats", "--json"]).json.first?["renditions"]?.int == 0)
        _ = try program.run(["thumb", "--alone", Checkout.sample("orientation-1.jpg")])
        try expectFailure(["purge", digest.hex], lines: 0)
        #expect(try program.run(["cache", "purge", digest.hex]).status == 1, "the machine's cache forgot it")
        // Nothing is asked where nothing would be done.
        #expect(try run(program, ["gc"], at: "http://127.0.0.1:9").status == 0)
    }

    @Test("A store without a key is a wrong call, and a store that is a folder has no shared pictures")
    func otherStores() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let keyless = try program.run(
            ["cache", "stats", "--json", "--store", store, "--s3-endpoint", server.address])
        #expect(keyless.status == 2 && keyless.lines.count == 1)
        #expect(keyless.standardError.contains("AWS_ACCESS_KEY_ID"))
        let folder = try program.run(["cache", "stats", "--json", "--store", program.path("store")])
        #expect(folder.status == 0 && folder.lines.count == 1)
    }
}
