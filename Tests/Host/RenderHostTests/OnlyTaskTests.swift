import Linux
import Media
import RenderHost
import TestDeadline
import Testing
import Wire

@Suite("A renderer with an only task becomes its child", .serialized, .deadline)
struct OnlyTaskTests {
    @Test("It answers and is reaped, and the next task gets a new renderer, which is no restart")
    func soundAnswers() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        for _ in 0..<3 {
            let rendered = try fake.run("paint", isOnly: true)
            #expect(rendered.bitmaps.map(\.size) == [PixelSize(width: 8, height: 8)])
            #expect(rendered.usage.peakByteCount > 0 && rendered.usage.processorTime > 0)
        }
        #expect(try fake.run("paint").bitmaps.count == 1, "and tasks that are not the only one are forked for")
        #expect(fake.host.restartCounts.isEmpty)
    }

    @Test("Its build is known after its end, without a new renderer")
    func build() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        _ = try fake.run("paint", isOnly: true)
        // To start a renderer takes longer, each time; on a busy machine so may some of these.
        var shortest = Duration.seconds(1)
        for _ in 0..<20 {
            let start = Time.monotonic
            #expect(try !fake.host.build(of: .image, within: .zero).libraries.isEmpty)
            shortest = min(shortest, Time.monotonic - start)
        }
        #expect(shortest < .milliseconds(1))
    }

    @Test(
        "Whatever it does comes to the same end as a forked child's",
        arguments: [
            "crash 11", "crash 9", "exit 0", "exit 3", "allocate", "write", "silent", "nonsense", "truncated",
            "missing",
            "huge", "closed", "pretend", "empty", "emptyGift", "fail", "connect", "hang", "spin", "stop", "endless",
        ])
    func failures(command: String) throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let forked = #expect(throws: Failure.self) { try fake.run(command, within: 1) }
        let only = #expect(throws: Failure.self) { try fake.run(command, within: 1, isOnly: true) }
        #expect(only?.code == forked?.code)
        // A number of bytes or the like may differ.
        #expect(only?.detail.prefix(12) == forked?.detail.prefix(12))
        #expect(try fake.run("paint", isOnly: true).bitmaps.count == 1, "the host goes on")
    }

    @Test("Its successor renders a file that it declines")
    func declined() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        #expect(try fake.run("decline", as: .plain, isOnly: true).rendererClass == .image)
    }

    @Test("Cancelling ends the renderer")
    func cancelled() throws {
        let fake = try FakeHost()
        defer { fake.close() }
        let thread = try WorkerThread(name: "cancel") {
            Time.sleep(.milliseconds(200))
            fake.host.cancelAll()
        }
        let start = Time.monotonic
        let failure = #expect(throws: Failure.self) { try fake.run("hang", within: 60, isOnly: true) }
        thread.join()
        #expect(failure?.code == .cancelled)
        #expect(Time.monotonic - start < .seconds(20))
    }
}
