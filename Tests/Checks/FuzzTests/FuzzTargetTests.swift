import CLinux
import FuzzTargets
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("Fuzz targets, without a fuzzer", .deadline)
struct FuzzTargetTests {
    @Test("What once broke a target breaks it no more", arguments: FuzzTarget.allCases)
    func regressions(target: FuzzTarget) throws {
        for bytes in try TestFiles.contents(of: "\(Checkout.folder)/Tests/Checks/Fuzz/Regressions/\(target.rawValue)") {
            try target.run(bytes)
        }
    }

    @Test("Every seed is taken, and many changes of it, always the same", arguments: FuzzTarget.allCases)
    func changedSeeds(target: FuzzTarget) throws {
        let samples = target.readsFiles ? try TestFiles.contents(of: "\(Checkout.folder)/samples") : []
        #expect(!target.readsFiles || samples.count > 50)
        let seeds = target.seeds + samples
        #expect(!seeds.isEmpty)
        var mutation = SeededMutation(seed: 1)
        for seed in seeds {
            try target.run(seed)
            // Fewer mutations of a large seed, so that it does not dominate the time.
            for _ in 0..<(seed.count > 16 << 10 ? 100 : 1000) {
                let bytes = mutation.mutant(of: seed, atMost: target.longestInput)
                do throws(Broken) { try target.run(bytes) } catch { Issue.record("\(error.what): \(bytes)") }
            }
        }
    }

    @Test("A seed passes the length from which on the reader goes another way", arguments: FuzzTarget.allCases)
    func thresholds(target: FuzzTarget) {
        let longest = target.seeds.map(\.count).max() ?? 0
        #expect(longest >= target.threshold && longest < target.longestInput)
    }

    @Test("The JPEGs among the seeds take every way of the reader")
    func jpegs() throws {
        let decoders = try FuzzTarget.jpeg.seeds.compactMap { try PlainTargets.decoder(ofJPEG: $0) }
        #expect(
            Set(decoders) == [
                "sequential JPEG: own reader", "sequential JPEG: own reader, two parts at once",
                "progressive JPEG: own reader", "sequential JPEG: libjpeg-turbo", "progressive JPEG: libjpeg-turbo",
            ])
    }

    @Test("Every target stands in the tally of docs/fuzzing.md, and nothing else")
    func tally() throws {
        let page = try #require(
            try Descriptor.open("\(Checkout.folder)/docs/fuzzing.md", O_RDONLY).readAll(limit: 1 << 20))
        let rows = String(decoding: page, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) }
        #expect(names.sorted() == FuzzTarget.allCases.map(\.rawValue).sorted())
    }
}
