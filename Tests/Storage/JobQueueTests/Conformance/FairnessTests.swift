import JobQueue
import TestDeadline
import Testing

/// A set of slots that claim in turn, and the flood of jobs meanwhile.
struct Mix: CustomTestStringConvertible, Sendable {
    /// The lowest priority that each slot claims.
    let slots: [Priority]
    let flood: [Priority]

    var testDescription: String { "slots \(slots), flood \(flood)" }

    /// One to three ordinary slots with up to seven urgent ones, and one that claims down to uploads.
    static let all: [Mix] = [[Priority.interactive], [.upload], [.interactive, .upload]].flatMap { flood in
        [(1, 0), (1, 1), (1, 3), (1, 7), (2, 1), (2, 2), (3, 5)].flatMap { ordinary, urgent in
            [[], [Priority.upload]].map { others in
                Mix(
                    slots: Array(repeating: .backfill, count: ordinary)
                        + Array(repeating: .interactive, count: urgent) + others, flood: flood)
            }
        }
    }
}

@Suite("Every queue: no priority starves", .deadline)
struct FairnessTests {
    @Test(
        "Of eight jobs claimed down to backfill one is the longest waiting, whatever other slots claim",
        arguments: QueueDriver.allCases, Mix.all)
    func everyMix(driver: QueueDriver, mix: Mix) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue((0..<9).map { .of("/old\($0)", priority: .backfill) })
        bench.clock.advance(.seconds(1))
        // More jobs than all slots can claim.
        let count = 40 * mix.slots.count
        try bench.queue.enqueue(
            mix.flood.flatMap { priority in (0..<count).map { .of("/\(priority)\($0)", priority: priority) } })
        var (claimedByOrdinary, backfill) = (0, 0)
        while claimedByOrdinary < 40 {
            for lowest in mix.slots where claimedByOrdinary < 40 {
                let claimed = try bench.queue.claim(upTo: 1, by: "w", for: .seconds(3600), downTo: lowest)
                let priority = claimed.first?.job.priority
                #expect(priority ?? .interactive >= lowest)
                if lowest == .backfill { claimedByOrdinary += 1 }
                if priority == .backfill { backfill += 1 }
            }
        }
        #expect(backfill == 40 / 8)
    }

    @Test("Slots that claim down to uploads keep them from starving too", arguments: QueueDriver.allCases)
    func uploads(driver: QueueDriver) throws {
        let bench = try QueueBench(driver)
        try bench.queue.enqueue((0..<9).map { .of("/old\($0)") })
        bench.clock.advance(.seconds(1))
        try bench.queue.enqueue((0..<100).map { .of("/new\($0)", priority: .interactive) })
        var uploads = 0
        for turn in 1...40 {
            let lowest: Priority = turn.isMultiple(of: 2) ? .interactive : .upload
            let claimed = try bench.queue.claim(upTo: 1, by: "w", for: .seconds(30), downTo: lowest)
            if claimed.first?.job.priority == .upload { uploads += 1 }
        }
        #expect(uploads == 20 / 8)
    }
}
