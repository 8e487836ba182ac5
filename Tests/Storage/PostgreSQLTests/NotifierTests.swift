import Database
import Linux
import PostgreSQLSupport
import Synchronization
import TestDeadline
import Testing

@Suite("Signals between processes", .deadline)
struct NotifierTests {
    private static let channel = "things"
    private let scratch = try! ScratchDatabase(channels: [channel])

    /// A notifier behind a proxy.
    private func notifier(_ proxy: ServerProxy) throws -> Notifier {
        try Notifier(Address(proxy.url(of: scratch.name), program: "tests"), channels: [Self.channel])
    }

    private func wait(until isTrue: () -> Bool) {
        let end = Time.monotonic + .seconds(20)
        while !isTrue(), Time.monotonic < end { Time.sleep(.milliseconds(5)) }
    }

    @Test("A signal that could not be sent is sent by the next connection")
    func lostConnection() throws {
        let cuts = Mutex(true)
        let proxy = try ServerProxy(to: scratch.server) { sent in
            guard sent.contains("NOTIFY things") else { return .pass }
            return cuts.withLock { cuts in
                defer { cuts = false }
                return cuts ? .cut : .pass
            }
        }
        let notifier = try notifier(proxy)
        wait { notifier.isConnected }
        let count = scratch.notifier.count(Self.channel)
        notifier.send(Self.channel)
        wait { scratch.notifier.count(Self.channel) > count }
        #expect(scratch.notifier.count(Self.channel) == count + 1)
        #expect(!cuts.withLock { $0 }, "the first one was cut off")
    }

    @Test("Behind a pooler that passes on no notifications nothing counts as heard, and listeners look each second")
    func pooler() throws {
        let proxy = try ServerProxy(to: scratch.server)
        proxy.dropsNotifications = true
        let notifier = try notifier(proxy)
        wait { proxy.droppedCount > 0 }
        // A signal of its own would have returned by now.
        let count = notifier.count(Self.channel)
        #expect(!notifier.isConnected)
        #expect(notifier.count(Self.channel) > count, "nothing is taken for unchanged")
        let listener = notifier.makeListener(Self.channel)
        _ = listener.wait(atMost: .zero)
        let began = Time.monotonic
        #expect(listener.wait(atMost: .seconds(30)))
        #expect(Time.monotonic - began < .seconds(10))
        // Listeners that can hear its signals do hear them.
        let heard = scratch.notifier.count(Self.channel)
        notifier.send(Self.channel)
        wait { scratch.notifier.count(Self.channel) > heard }
        #expect(scratch.notifier.count(Self.channel) == heard + 1)
    }

    @Test("Its settings end with each signal, and stay with no session of a pooler")
    func settings() throws {
        let statements = Mutex<[String]>([])
        let proxy = try ServerProxy(to: scratch.server) { sent in
            statements.withLock { $0.append(sent) }
            return .pass
        }
        let notifier = try notifier(proxy)
        wait { notifier.isConnected }
        let count = scratch.notifier.count(Self.channel)
        notifier.send(Self.channel)
        wait { scratch.notifier.count(Self.channel) > count }
        let sent = statements.withLock { $0 }
        #expect(!sent.contains { $0.contains("SET synchronous_commit") })
        let signals = sent.filter { $0.contains("NOTIFY things") }
        #expect(signals.count == 1)
        #expect(
            signals.allSatisfy { $0.contains("SET LOCAL synchronous_commit = off") && $0.contains("COMMIT") },
            "one round trip")
    }
}
