import CLinux
import Linux
import Media
import RenderHost
import Synchronization
import Testing

@Suite("Admission of tasks")
struct AdmissionTests {
    private let mebibyte: UInt64 = 1 << 20

    /// Starts threads one after another, each waiting for its turn and then for `gate`.
    private func start(
        _ tasks: [(RendererClass, UInt64)], on admission: Admission, noting order: Order, until gate: Promise<Bool>
    ) throws -> [WorkerThread] {
        try tasks.enumerated().map { index, task in
            let thread = try WorkerThread(name: "task") {
                do throws(Failure) {
                    try admission.admitting(task.0, reserving: task.1) {
                        order.began(index)
                        _ = gate.wait()
                    }
                } catch {
                    order.failed(index, error.code)
                }
            }
            // The next one comes after this one waits, or runs.
            order.settle()
            return thread
        }
    }

    final class Order: Sendable {
        private let state = Mutex<(begun: [Int], failures: [Int: Failure.Code])>(([], [:]))
        var begun: [Int] { state.withLock { $0.begun } }
        var failures: [Int: Failure.Code] { state.withLock { $0.failures } }
        func began(_ index: Int) { state.withLock { $0.begun.append(index) } }
        func failed(_ index: Int, _ code: Failure.Code) { state.withLock { $0.failures[index] = code } }
        func settle() { Time.sleep(.milliseconds(20)) }
    }

    @Test("Only as many tasks run as their memory fits, and the others follow")
    func memory() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte))
        let (order, gate) = (Order(), Promise<Bool>())
        let threads = try start(
            Array(repeating: (.image, 40 * mebibyte), count: 5), on: admission, noting: order, until: gate)
        #expect(order.begun == [0, 1])
        gate.fulfil(true)
        for thread in threads { thread.join() }
        #expect(order.begun.sorted() == [0, 1, 2, 3, 4])
    }

    @Test("Classes take turns: a video after five images is the second to be admitted")
    func turns() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte, childCount: 1))
        let order = Order()
        let gates = (0..<7).map { _ in Promise<Bool>() }
        var tasks: [(RendererClass, UInt64)] = Array(repeating: (.image, mebibyte), count: 6)
        tasks.append((.video, mebibyte))
        var threads: [WorkerThread] = []
        for (index, task) in tasks.enumerated() {
            threads.append(
                try WorkerThread(name: "task") {
                    try? admission.admitting(task.0, reserving: task.1) {
                        order.began(index)
                        _ = gates[index].wait()
                    }
                })
            order.settle()
        }
        for step in 1...7 {
            #expect(order.begun.count == step)
            gates[order.begun.last!].fulfil(true)
            order.settle()
        }
        for thread in threads { thread.join() }
        #expect(order.begun == [0, 6, 1, 2, 3, 4, 5])
    }

    @Test("A large task is not overtaken for ever by small ones that would fit")
    func noOvertaking() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte))
        let (order, gate) = (Order(), Promise<Bool>())
        let threads = try start(
            [(.image, 60 * mebibyte), (.image, 60 * mebibyte), (.image, 10 * mebibyte)], on: admission, noting: order,
            until: gate)
        #expect(order.begun == [0])
        gate.fulfil(true)
        for thread in threads { thread.join() }
        #expect(order.begun.first == 0 && order.begun.count == 3)
    }

    @Test("Tasks beyond the limit of waiting ones are turned away, and the waiting ones are not")
    func bounded() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte, childCount: 1, waitingCount: 2))
        let (order, gate) = (Order(), Promise<Bool>())
        let threads = try start(
            Array(repeating: (.pdf, mebibyte), count: 5), on: admission, noting: order, until: gate)
        #expect(order.failures == [3: .unavailable, 4: .unavailable])
        gate.fulfil(true)
        for thread in threads { thread.join() }
        #expect(order.begun == [0, 1, 2])
    }

    @Test("Closing turns away waiting and later tasks")
    func closing() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte, childCount: 1))
        let (order, gate) = (Order(), Promise<Bool>())
        let threads = try start(
            Array(repeating: (.video, mebibyte), count: 3), on: admission, noting: order, until: gate)
        admission.close()
        gate.fulfil(true)
        for thread in threads { thread.join() }
        #expect(order.begun == [0])
        #expect(order.failures == [1: .cancelled, 2: .cancelled])
        let failure = #expect(throws: Failure.self) { try admission.admitting(.pdf, reserving: 1) {} }
        #expect(failure?.code == .cancelled)
    }

    @Test("A cancelled task leaves the line at once, and the tasks behind it may run")
    func leaving() throws {
        let admission = Admission(Capacity(memoryByteCount: 100 * mebibyte))
        let (gate, left, cancellation) = (Promise<Bool>(), Promise<Failure.Code?>(), Cancellation())
        let reserve = { (byteCount: UInt64) in
            try WorkerThread(name: "task") {
                try? admission.admitting(.image, reserving: byteCount) { _ = gate.wait() }
            }
        }
        let first = try reserve(60 * mebibyte)
        while admission.runningCount < 1 { sched_yield() }
        let waiting = try WorkerThread(name: "leaver") {
            let result = Result { () throws(Failure) in
                try admission.admitting(.image, reserving: 60 << 20, until: cancellation) {}
            }
            if case .failure(let failure) = result { left.fulfil(failure.code) } else { left.fulfil(nil) }
        }
        while admission.lineLength < 1 { sched_yield() }
        let behind = try reserve(20 * mebibyte)
        while admission.lineLength < 2 { sched_yield() }
        #expect(admission.runningCount == 1, "the one behind does not overtake")
        cancellation.cancel()
        #expect(left.wait() == .cancelled)
        while admission.runningCount < 2 { sched_yield() }
        gate.fulfil(true)
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
