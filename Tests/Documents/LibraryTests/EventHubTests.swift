import Documents
import Library
import Linux
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Clients that follow events", .deadline)
struct EventHubTests {
    /// The numbers of the next `count` events.
    private func numbers(_ count: Int, of follower: EventFollower) async -> [Int64] {
        var numbers: [Int64] = []
        while numbers.count < count, let events = await follower.next(within: .seconds(30)), !events.isEmpty {
            for case .event(let event) in events { numbers.append(event.number) }
        }
        return numbers
    }

    @Test("A follower gets what has happened since the event that it names, and then what happens, each once")
    func since() async throws {
        let bench = try LibraryBench()
        for number in 1...3 { try bench.change(number) }
        let all = try bench.store.events(after: 0, of: bench.owner, limit: 100).map(\.number)
        let late = try bench.library.events.follow(bench.owner, after: nil)
        let again = try bench.library.events.follow(bench.owner, after: all[1])
        #expect(await numbers(all.count - 2, of: again) == Array(all[2...]))
        for number in 4...6 { try bench.change(number) }
        let new = try bench.store.events(after: all.last!, of: bench.owner, limit: 100).map(\.number)
        #expect(new.count == 3)
        #expect(await numbers(3, of: again) == new)
        #expect(await numbers(3, of: late) == new)
        #expect(await late.next(within: .milliseconds(50)) == [])
        bench.stop()
    }

    @Test("A follower that names an event which a restored database does not have gets what happens next")
    func restored() async throws {
        let bench = try LibraryBench()
        try bench.change(1)
        let follower = try bench.library.events.follow(bench.owner, after: 1_000_000)
        try bench.change(2)
        let last = try bench.store.latestEvent(of: bench.owner)
        #expect(await numbers(1, of: follower) == [last])
        bench.stop()
    }

    @Test(
        "A follower that does not read for long gets everything that happened meanwhile, and the latest state of its uploads"
    )
    func unread() async throws {
        let bench = try LibraryBench()
        let follower = try bench.library.events.follow(bench.owner, after: 0)
        for number in 1...1200 { try bench.change(number) }
        let all = try bench.store.events(after: 0, of: bench.owner, limit: 10_000).map(\.number)
        #expect(all.count > 1200)
        #expect(await numbers(all.count, of: follower) == all)

        let upload = try bench.begin("a.pdf")
        let byte: [UInt8] = [1]
        for _ in 0..<5 { try byte.withUnsafeBytes { try bench.library.append($0, to: upload) } }
        var told: Int64 = 0
        while told < 5, let events = await follower.next(within: .seconds(10)), !events.isEmpty {
            let progress = events.compactMap { event -> Int64? in
                guard case .progress(let progress) = event else { return nil }
                return progress.byteCount
            }
            #expect(progress.count <= 1, "of one upload its latest state")
            told = progress.last ?? told
        }
        #expect(told == 5)
        bench.stop()
    }

    @Test(
        "A follower that nobody has any more is forgotten, and all streams end with the hub, also those that begin later"
    )
    func ends() async throws {
        let bench = try LibraryBench()
        let events = bench.library.events
        let follower = try events.follow(bench.owner, after: nil)
        do {
            let other = try events.follow(bench.owner, after: nil)
            #expect(events.followerCount == 2)
            withExtendedLifetime(other) {}
        }
        #expect(events.followerCount == 1)
        let waiting = Task { await follower.next(within: .seconds(600)) }
        events.end()
        #expect(await waiting.value == nil)
        #expect(await (try events.follow(bench.owner, after: nil)).next(within: .seconds(600)) == nil)
        bench.stop()
    }

    @Test("Pictures are settled while the store of files does not say how far uploads have come")
    func silentStore() async throws {
        let bench = try LibraryBench(holdsArrivals: true)
        defer { bench.objects.isReleased.fulfil(()) }
        let follower = try bench.library.events.follow(bench.owner, after: nil)
        _ = try bench.begin("a.pdf")
        try bench.objects.isHeld.value()
        try bench.failPictures()
        let events = try #require(await follower.next(within: .seconds(10)))
        let kinds = events.compactMap { event -> DocumentEvent.Kind? in
            if case .event(let event) = event { event.kind } else { nil }
        }
        #expect(kinds == [.pictureFailed])
        bench.objects.isReleased.fulfil(())
        bench.stop()
    }

    @Test("A cancelled task waits for no event")
    func cancelled() async throws {
        let bench = try LibraryBench()
        let follower = try bench.library.events.follow(bench.owner, after: nil)
        let waiting = Task { await follower.next(within: .seconds(600)) }
        waiting.cancel()
        #expect(await waiting.value == nil)
        bench.stop()
    }
}
