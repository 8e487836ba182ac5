import Linux
import Media
import S3
import StoreSupport
import Synchronization
import TestDeadline
import Testing

@Suite("A store that is silent or slow keeps nobody for long", .serialized, .deadline)
struct SilentStoreTests {
    private let store = try! TestStore.shared.get()

    private static var patience: S3Patience {
        var patience = FaultTests.patience
        patience.resting = .seconds(2)
        return patience
    }

    /// Longer than any of these tests.
    private static let hanging = FaultProxy.Fate.delay(milliseconds: 600_000)

    private func fault(_ client: S3Client, _ key: String = "started") -> S3Fault? {
        do throws(S3Fault) {
            _ = try client.read(whole: key, limit: 1 << 20)
            return nil
        } catch {
            return error
        }
    }

    private func time(_ body: () throws -> Void) rethrows -> Duration {
        let start = Time.monotonic
        try body()
        return Time.monotonic - start
    }

    @Test("A store that does not answer is left alone; then one caller finds out for all whether it is back")
    func rest() throws {
        let isSilent = Atomic(true)
        let proxy = FaultProxy(to: store) { _ in isSilent.load(ordering: .acquiring) ? Self.hanging : .pass }
        let client = store.client(at: proxy.address, patience: Self.patience)
        #expect(fault(client)?.isPassing == true)
        #expect(proxy.requests.count == 2, "a stall counts as half of the tries")
        let left = time { for _ in 0..<50 { #expect(fault(client) != nil) } }
        #expect(left < .seconds(2) && proxy.requests.count == 2)
        // The rest ends while the store is silent: only one of many callers waits for it.
        let ends = Promise<Void>()
        let threads = try (0..<8).map { _ in
            try WorkerThread(name: "caller") {
                while ends.current == nil, proxy.requests.count < 3 {
                    _ = fault(client)
                    Time.sleep(.milliseconds(5))
                }
            }
        }
        let deadline = Time.monotonic + .seconds(20)
        while proxy.requests.count < 3, Time.monotonic < deadline { Time.sleep(.milliseconds(5)) }
        ends.fulfil(())
        for thread in threads { thread.join() }
        #expect(proxy.requests.dropFirst(2) == ["HEAD /\(TestStore.bucket)"])
        isSilent.store(false, ordering: .releasing)
        while fault(client) != nil, Time.monotonic < deadline { Time.sleep(.milliseconds(20)) }
        #expect(fault(client) == nil)
    }

    @Test("A request that hangs while others are answered keeps nobody from the store")
    func oneHangs() throws {
        try store.client().put([1], as: "silent/hangs")
        let proxy = FaultProxy(to: store) { $0.line.contains("hangs") ? Self.hanging : .pass }
        let client = store.client(at: proxy.address, patience: Self.patience)
        let thread = try WorkerThread(name: "hanging") { _ = fault(client, "silent/hangs") }
        while proxy.requests.isEmpty { Time.sleep(.milliseconds(2)) }
        #expect(fault(client) == nil)
        thread.join()
        #expect(fault(client) == nil)
    }

    @Test("An answer that trickles is given up, and is no silence")
    func trickling() throws {
        try store.client().put([UInt8](repeating: 7, count: 200_000), as: "silent/slow")
        let proxy = FaultProxy(to: store) { $0.line.contains("slow") ? .trickle : .pass }
        let client = store.client(at: proxy.address, patience: Self.patience)
        let taken = time {
            guard case .truncated? = fault(client, "silent/slow") else {
                Issue.record("a fault of its own")
                return
            }
        }
        #expect(taken < .seconds(20), "80 s at this speed")
        #expect(fault(client) == nil)
    }

    @Test(
        "An answer that breaks off is no silence, whether its connection ends or is reset",
        arguments: [FaultProxy.Fate.truncate, .reset])
    func brokenOff(fate: FaultProxy.Fate) throws {
        try store.client().put([UInt8](repeating: 7, count: 200_000), as: "silent/broken")
        let proxy = FaultProxy(to: store) { $0.line.contains("broken") ? fate : .pass }
        let client = store.client(at: proxy.address, patience: Self.patience)
        guard case .truncated? = fault(client, "silent/broken") else {
            Issue.record("a fault of its own")
            return
        }
        #expect(fault(client) == nil)
    }

    @Test("All tries together keep to the deadline of a request")
    func deadline() throws {
        let busy = FaultProxy.error("503 Slow Down", "SlowDown", fields: ["Retry-After: 1"])
        let proxy = FaultProxy(to: store) { _ in busy }
        var patience = Self.patience
        (patience.whole, patience.mostTries) = (.milliseconds(2500), 20)
        let client = store.client(at: proxy.address, patience: patience)
        let taken = time { #expect(fault(client)?.isPassing == true) }
        #expect(taken < .seconds(4) && proxy.requests.count <= 3)
    }

    @Test("A caller's own bound ends a request, and says nothing about the store")
    func callersBound() throws {
        let proxy = FaultProxy(to: store) { $0.line.hasPrefix("GET") ? Self.hanging : .pass }
        var patience = Self.patience
        patience.stalling = .seconds(30)
        let client = store.client(at: proxy.address, patience: patience)
        let taken = time {
            #expect(throws: S3Fault.self) { try client.read("started", 0..<1, within: .milliseconds(300)) }
        }
        #expect(taken < .seconds(5))
        #expect(try client.status(of: "started").byteCount == 1)
    }
}
