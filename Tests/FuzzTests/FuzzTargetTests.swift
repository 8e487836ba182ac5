import FuzzTargets
import Linux
import Testing

@Suite("Fuzz targets, without a fuzzer")
struct FuzzTargetTests {
    private static let checkout = String(#filePath.dropLast("/Tests/FuzzTests/FuzzTargetTests.swift".count))

    @Test("What once broke a target breaks it no more", arguments: FuzzTarget.allCases)
    func regressions(target: FuzzTarget) throws {
        for bytes in try TestFiles.contents(of: "\(Self.checkout)/Tests/Fuzz/Regressions/\(target.rawValue)") {
            try target.run(bytes)
        }
    }

    @Test("Every seed is taken, and a thousand changes of it, always the same", arguments: FuzzTarget.allCases)
    func changedSeeds(target: FuzzTarget) throws {
        let samples = target.readsFiles ? try TestFiles.contents(of: "\(Self.checkout)/samples") : []
        #expect(!target.readsFiles || samples.count > 50)
        let seeds = target.seeds + samples
        #expect(!seeds.isEmpty)
        var mutation = SeededMutation(seed: 1)
        for seed in seeds {
            try target.run(seed)
            for _ in 0..<1000 {
                let bytes = mutation.mutant(of: seed)
                do throws(Broken) { try target.run(bytes) } catch { Issue.record("\(error.what): \(bytes)") }
            }
        }
    }
}
