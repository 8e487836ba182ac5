public import JobQueue
internal import Linux
public import Media
public import RenderHost
internal import Synchronization
public import ThumbnailCache
public import Thumbnailer

/// Works on a queue: claims jobs, makes their renditions, stores them, and completes each with its lease's token.
///
/// One thread a slot, which claims for itself when it is free: so who is next is decided at the last moment, and an
/// interactive job waits for nobody but those already in work. Every trouble that is no job's fault makes the worker
/// pause and try again.
public final class Worker: Sendable {
    let options: WorkerOptions
    let connection: QueueConnection
    let engine: Thumbnailer
    let host: RenderHost
    let cache: FolderCache
    let roots: SourceRoots
    let observer: @Sendable (WorkerEvent) -> Void
    let health: Health
    let leases: LeaseKeeper
    let builds: RendererBuilds
    private let tidying: Tidying
    private let isStopping = Promise<Void>()
    private let state = Mutex(State())

    private struct State {
        var waiters: [Int: any JobWaiter] = [:]
        var drainLimit: Duration = .zero
        var isAbandoned = false
    }

    /// - Parameters:
    ///   - openQueue: opens the queue; called again after it was out of reach.
    ///   - engine: makes renditions by way of `host` and stores them in `cache`.
    ///   - registry: knows which workers live, so that a dead one's jobs need not wait for their leases' end.
    ///   - observer: is told of every job and trouble, on the thread where it happens.
    public init(
        _ options: WorkerOptions, openQueue: @escaping @Sendable () throws(QueueError) -> any JobQueue,
        engine: Thumbnailer, host: RenderHost, cache: FolderCache, roots: SourceRoots,
        registry: WorkerRegistry? = nil, upkeep: Upkeep = Upkeep(),
        observer: @escaping @Sendable (WorkerEvent) -> Void
    ) {
        self.options = options
        self.engine = engine
        self.host = host
        self.cache = cache
        self.roots = roots
        self.observer = observer
        connection = QueueConnection(open: openQueue)
        health = Health(options, observer: observer)
        leases = LeaseKeeper(connection, health, options)
        builds = RendererBuilds(host)
        tidying = Tidying(connection, cache, registry, upkeep, observer: observer)
    }

    /// Works until it is told to stop, and ends what runs then: in the time that `drain` gave, else by giving it back.
    ///
    /// - Throws: `unavailable` where no threads can be had.
    public func run() throws(Failure) {
        do throws(SystemError) {
            // Not waited for: a look through a large cache may take longer than an end should.
            _ = try leases.start()
            _ = try tidying.start()
            let slots = try startSlots()
            isStopping.wait()
            finish(slots)
            tidying.stop()
            leases.stop()
        } catch {
            stop(within: .zero)
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    /// Claims nothing from now on; what runs may finish within `limit`.
    public func drain(within limit: Duration) { stop(within: limit) }

    /// Gives back every job at once and ends the renderers' children.
    public func abandon() {
        state.withLock { $0.isAbandoned = true }
        stop(within: .zero)
        host.cancelAll()
        for token in leases.held { release(token) }
    }

    /// Whether jobs are handed back, whatever became of them.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// How many jobs are in work.
    public var runningCount: Int { leases.held.count }

    /// What is out of reach, with the reason; empty is best.
    public var troubles: [WorkerEvent.Dependency: String] { health.current }

    /// Whether its threads come round: what a watchdog wants to know.
    public var isResponsive: Bool { leases.sinceLastBeat < options.heartbeatInterval * 3 + .seconds(10) }

    /// Sleeps, but not beyond the moment when work is to end.
    /// - Returns: `false` where work is to end.
    @discardableResult
    func pause(_ duration: Duration) -> Bool { isStopping.wait(until: Time.monotonic + duration) == nil }

    /// Gives a job back. Where even that cannot be said, its lease runs out.
    func release(_ token: LeaseToken) {
        do throws(QueueError) {
            try connection.use { (queue) throws(QueueError) in try queue.release(token) }
        } catch {
            if error.isTrouble { _ = health.note(.queue, reason: error.description) }
        }
    }

    private func stop(within limit: Duration) {
        state.withLock { $0.drainLimit = limit }
        isStopping.fulfil(())
        // Taken after that: a slot that makes its waiter later looks at `isStopping` before it sleeps.
        for waiter in state.withLock({ Array($0.waiters.values) }) { waiter.wake() }
    }
}

// MARK: Slots

extension Worker {
    private typealias Slot = (thread: WorkerThread, isOver: Promise<Void>)

    private func startSlots() throws(SystemError) -> [Slot] {
        var slots: [Slot] = []
        for number in 0..<options.slotCount + options.urgentSlotCount {
            let isOver = Promise<Void>()
            let lowest: Priority = number < options.slotCount ? .backfill : .interactive
            let thread = try WorkerThread(name: "slot-\(number)") { [self] in
                work(inSlot: number, downTo: lowest)
                isOver.fulfil(())
            }
            slots.append((thread, isOver))
        }
        return slots
    }

    /// Waits for the slots, then hands back what they still have.
    private func finish(_ slots: [Slot]) {
        let deadline = Time.monotonic + state.withLock { $0.drainLimit }
        for slot in slots where slot.isOver.wait(until: deadline) == nil { abandon() }
        // A thread that hangs in a system call, as over a network, must not keep the program from its end.
        let last = Time.monotonic + Self.longestEnd
        for slot in slots where slot.isOver.wait(until: last) != nil { slot.thread.join() }
    }

    private static let longestEnd: Duration = .seconds(2)

    private var mayWork: Bool { isStopping.current == nil }

    private func work(inSlot slot: Int, downTo lowest: Priority) {
        var ear: (waiter: any JobWaiter, generation: Int)?
        while mayWork {
            guard cacheIsInReach() else { continue }
            do throws(QueueError) {
                // Made before the claim that finds nothing: what arrives in between wakes it.
                let generation = try connection.current().generation
                if ear?.generation != generation { ear = (try makeWaiter(forSlot: slot), generation) }
                if let claimed = try claim(downTo: lowest) {
                    perform(claimed)
                } else if mayWork, let waiter = ear?.waiter {
                    _ = try connection.use { (_) throws(QueueError) in
                        try waiter.wait(atMost: options.longestSleep)
                    }
                }
            } catch {
                ear = nil
                pause(health.note(.queue, reason: error.description))
            }
        }
    }

    private func makeWaiter(forSlot slot: Int) throws(QueueError) -> any JobWaiter {
        let waiter = try connection.use { (queue) throws(QueueError) in try queue.makeWaiter() }
        state.withLock { $0.waiters[slot] = waiter }
        return waiter
    }

    private func claim(downTo lowest: Priority) throws(QueueError) -> ClaimedJob? {
        let claimed = try connection.use { (queue) throws(QueueError) in
            try queue.claim(upTo: 1, by: options.name, for: options.lease, downTo: lowest)
        }
        health.clear(.queue)
        return claimed.first
    }

    private func perform(_ claimed: ClaimedJob) {
        leases.hold(claimed.token)
        var run = JobRun(self, claimed)
        let report = run.perform()
        leases.drop(claimed.token)
        observer(.finished(report))
    }

    /// After a rendition could not be kept: whether that would go now. Otherwise pauses.
    private func cacheIsInReach() -> Bool {
        guard health.current[.cache] != nil else { return true }
        do throws(Failure) {
            try CacheProbe.write(below: cache.path)
            health.clear(.cache)
            return true
        } catch {
            pause(health.note(.cache, reason: error.detail))
            return false
        }
    }
}
