import Linux
import TestDeadline
import Testing

@Suite("A wake-up of a task", .deadline)
struct WakeupTests {
    @Test("A wake-up before the wait counts, once; without one the wait takes its time")
    func before() async {
        let wakeup = Wakeup()
        wakeup.wake()
        wakeup.wake()
        await wakeup.wait()
        let began = ContinuousClock.now
        await wakeup.wait(atMost: .milliseconds(50))
        #expect(ContinuousClock.now - began >= .milliseconds(50))
    }

    @Test("A wait ends with a wake-up from another thread, or with its task's cancellation")
    func ends() async throws {
        let wakeup = Wakeup()
        let woken = Task { await wakeup.wait(atMost: .seconds(600)) }
        let thread = try WorkerThread(name: "waker") { wakeup.wake() }
        await woken.value
        thread.join()

        let cancelled = Task { await wakeup.wait() }
        cancelled.cancel()
        await cancelled.value
        // The cancellation may have left a wake-up behind, but no task.
        await wakeup.wait(atMost: .milliseconds(1))
    }

    @Test("Tasks that are cancelled while other threads wake them end, and hold up nobody")
    func storm() async throws {
        let wakeups = (0..<64).map { _ in Wakeup() }
        let isOver = Promise<Void>()
        let threads = try (0..<2).map { _ in
            try WorkerThread(name: "waker") {
                while isOver.current == nil { for wakeup in wakeups { wakeup.wake() } }
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for wakeup in wakeups {
                group.addTask {
                    for _ in 0..<200 {
                        let task = Task { while !Task.isCancelled { await wakeup.wait(atMost: .seconds(60)) } }
                        await Task.yield()
                        task.cancel()
                        await task.value
                    }
                }
            }
        }
        isOver.fulfil(())
        for thread in threads { thread.join() }
    }
}
