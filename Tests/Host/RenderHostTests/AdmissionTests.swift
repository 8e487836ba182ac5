import CLinux
import Linux
import Media
import RenderHost
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("Admission of tasks", .deadline)
struct AdmissionTests {
    private let mebibyte: UInt64 = 1 << 20

    /// Tasks on threads of their own, which run until their gates open.
    private final class Tasks: Sendable {
        private struct State {
            var begun: [Int] = []
            var failures: [Int: Failure.Code] = [:]
            var threads: [WorkerThread] = []
        }

        private let admission: Admission
        private let gates: [Promise<Void>]
        private let state = Mutex(State())

        /// Starts threads one after another, each once the one before it runs, waits for its turn or has failed.
        init(_ tasks: [(RendererClass, UInt64)], on admission: Admission) throws {
            self.admission = admission
            gates = tasks.map { _ in Promise() }
            for (index, task) in tasks.enumerated() {
                let thread = try WorkerThread(name: "task") { self.run(index, task.0, task.1) }
                state.withLock { $0.threads.append(thread) }
                #expect(eventually { self.isSettled(index + 1) })
            }
        }

        var begun: [Int] { state.withLock { $0.begun } }
        var failures: [Int: Failure.Code] { state.withLock { $0.failures } }

        private func run(_ index: Int, _ rendererClass: RendererClass, _ byteCount: UInt64) {
            do throws(Failure) {
                try admission.admitting(rendererClass, reserving: byteCount) {
                    state.withLock { $0.begun.append(index) }
                    _ = try? gates[index].value()
                }
            } catch {
                state.withLock { $0.failures[index] = error.code }
            }
        }

        /// Whether each of so many tasks has begun, has failed or waits.
        private func isSettled(_ count: Int) -> Bool {
            let (begun, failed) = state.withLock { ($0.begun.count, $0.failures.count) }
            return begun + failed + admission.lineLength == count
        }

        func finish(_ index: Int) { gates[index].fulfil(()) }

        /// Lets all tasks run to their ends, and waits for them.
        func finish() {
            for gate in gates { gate.fulfil(()) }
            for thread in state.withLock({ $0.threads }) { thread.join() }
        }
    }

    @Test("Only as many tasks run as their memory fits, and the others follow")
    func memory() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte))
        let tasks = try Tasks(Array(repeating: (.image, 40 * mebibyte), count: 5), on: admission)
        defer { tasks.finish() }
        #expect(tasks.begun == [0, 1])
        tasks.finish()
        #expect(tasks.begun.sorted() == [0, 1, 2, 3, 4])
    }

    @Test("Classes take turns: a video after five images is the second to be admitted")
    func turns() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte, childCount: 1))
        let images: [(RendererClass, UInt64)] = Array(repeating: (.image, mebibyte), count: 6)
        let tasks = try Tasks(images + [(.video, mebibyte)], on: admission)
        defer { tasks.finish() }
        for step in 1...7 {
            #expect(eventually { tasks.begun.count == step })
            tasks.finish(try #require(tasks.begun.last))
        }
        #expect(tasks.begun == [0, 6, 1, 2, 3, 4, 5])
    }

    @Test("A large task is not overtaken forever by small ones that would fit")
    func noOvertaking() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte))
        let tasks = try Tasks(
            [(.image, 60 * mebibyte), (.image, 60 * mebibyte), (.image, 10 * mebibyte)], on: admission)
        defer { tasks.finish() }
        #expect(tasks.begun == [0])
        tasks.finish()
        #expect(tasks.begun.first == 0 && tasks.begun.count == 3)
    }

    @Test("Tasks beyond the limit of waiting ones are turned away, and the waiting ones are not")
    func bounded() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte, childCount: 1, waitingCount: 2))
        let tasks = try Tasks(Array(repeating: (.pdf, mebibyte), count: 5), on: admission)
        defer { tasks.finish() }
        #expect(tasks.failures == [3: .unavailable, 4: .unavailable])
        tasks.finish()
        #expect(tasks.begun == [0, 1, 2])
    }

    @Test("Closing turns away waiting and later tasks")
    func closing() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte, childCount: 1))
        let tasks = try Tasks(Array(repeating: (.video, mebibyte), count: 3), on: admission)
        defer { tasks.finish() }
        admission.close()
        tasks.finish()
        #expect(tasks.begun == [0])
        #expect(tasks.failures == [1: .cancelled, 2: .cancelled])
        let failure = #expect(throws: Failure.self) { try admission.admitting(.pdf, reserving: 1) {} }
        #expect(failure?.code == .cancelled)
    }

    @Test("A cancelled task leaves the line at once, and the tasks behind it may run")
    func leaving() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte))
        let (gate, left, cancellation) = (Promise<Void>(), Promise<Failure.Code?>(), Cancellation())
        defer {
            cancellation.cancel()
            gate.fulfil(())
        }
        let reserve = { (byteCount: UInt64) in
            try WorkerThread(name: "task") {
                try? admission.admitting(.image, reserving: byteCount) { _ = try? gate.value() }
            }
        }
        let first = try reserve(60 * mebibyte)
        #expect(eventually { admission.runningCount == 1 })
        let waiting = try WorkerThread(name: "leaver") {
            let result = Result { () throws(Failure) in
                try admission.admitting(.image, reserving: 60 << 20, until: cancellation) {}
            }
            if case .failure(let failure) = result { left.fulfil(failure.code) } else { left.fulfil(nil) }
        }
        #expect(eventually { admission.lineLength == 1 })
        let behind = try reserve(20 * mebibyte)
        #expect(eventually { admission.lineLength == 2 })
        #expect(admission.runningCount == 1, "the one behind does not overtake")
        cancellation.cancel()
        #expect(try left.value() == .cancelled)
        #expect(eventually { admission.runningCount == 2 })
        gate.fulfil(())
        for thread in [first, waiting, behind] { thread.join() }
        #expect(admission.runningCount == 0 && admission.lineLength == 0)
    }

    @Test("On a small machine a child gets no more memory than there is for all")
    func smallMachine() throws {
        let fake = try FakeHost(capacity: Capacity(memoryByteCount: 32 * mebibyte))
        defer { fake.close() }
        // Its own limit would be 64 MiB.
        let failure = #expect(throws: Failure.self) { try fake.run("hold 48") }
        #expect(failure?.code == .tooLarge)
        #expect(try fake.run("hold 16").bitmaps.count == 1)
    }
}
