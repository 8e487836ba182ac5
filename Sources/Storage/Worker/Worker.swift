public import JobQueue
internal import Linux
public import Media
public import RenderHost
public import SourceFiles
internal import Synchronization
public import ThumbnailCache
public import Thumbnailer

/// Works on a queue: claims jobs, makes and stores their renditions, and completes each job with its lease's token.
///
/// Each slot is a thread that claims when it is free. So the order is decided at the last moment, and an interactive
/// job waits for running jobs alone. After a fault that no job has caused, the worker pauses and retries.
public final class Worker: Sendable {
    let options: WorkerOptions
    let connection: QueueConnection
    let engine: Thumbnailer
    let host: RenderHost
    let cache: FolderCache
    let roots: SourceRoots
    let openObject: ObjectOpening?
    let openAddress: ObjectOpening?
    let shared: (any SharedPictures)?
    let works: [JobKind: Work]
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
        /// How many running jobs each party has here.
        var parties: [String: Int] = [:]
    }

    /// Opens the object, or the content elsewhere, that a job names by its key or address.
    ///
    /// As in `SourceRoots`, the failure decides how the job ends: `sourceMissing` ends it, `unavailable` lets it be
    /// retried.
    public typealias ObjectOpening = @Sendable (_ location: String) throws(Failure) -> SourceFile

    /// Carries out a job of a kind other than `renditions`.
    ///
    /// The failure decides how the job ends: after `unavailable` and `crashed` it is retried. A job may be carried out
    /// more than once.
    public typealias Work = @Sendable (_ job: Job, _ open: () throws(Failure) -> SourceFile) throws(Failure) -> Void

    /// A worker that does not run yet.
    ///
    /// - Parameters:
    ///   - openQueue: opens the queue; called again after a fault of the queue's storage.
    ///   - openObject: opens jobs' objects; without it such jobs are refused.
    ///   - openAddress: opens jobs' content elsewhere; without it such jobs are refused.
    ///   - shared: the pictures of all machines: existing ones are not made again, and new ones are kept there. They
    ///     share one store with the objects of `openObject`: while it is unreachable, jobs wait.
    ///   - works: carries out jobs of kinds other than `renditions`; jobs of any other kind fail.
    ///   - engine: makes renditions with the renderers of `host`, and stores them in `cache`.
    ///   - registry: knows which workers are alive, so that a dead one's jobs are taken over before their leases
    ///     expire.
    ///   - observer: receives every event on the thread where it happens.
    public init(
        _ options: WorkerOptions, openQueue: @escaping @Sendable () throws(QueueError) -> any JobQueue,
        engine: Thumbnailer, host: RenderHost, cache: FolderCache, roots: SourceRoots,
        openObject: ObjectOpening? = nil, openAddress: ObjectOpening? = nil, shared: (any SharedPictures)? = nil,
        works: [JobKind: Work] = [:], registry: WorkerRegistry? = nil,
        upkeep: Upkeep = Upkeep(),
        observer: @escaping @Sendable (WorkerEvent) -> Void
    ) {
        self.options = options
        self.engine = engine
        self.host = host
        self.cache = cache
        self.roots = roots
        self.openObject = openObject
        self.openAddress = openAddress
        self.shared = shared
        self.works = works
        self.observer = observer
        connection = QueueConnection(open: openQueue)
        health = Health(options, observer: observer)
        leases = LeaseKeeper(connection, health, options)
        builds = RendererBuilds(host)
        tidying = Tidying(connection, cache, registry, upkeep, observer: observer)
    }

    /// Works until `drain` or `abandon` is called. Running jobs may then end within the drain's time; others are given
    /// back.
    ///
    /// - Throws: `unavailable` if no thread can be started.
    public func run() throws(Failure) {
        do throws(SystemError) {
            // These threads are not joined: an eviction from a large cache may take longer than the shutdown should.
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

    /// Stops claiming; running jobs may finish within `limit`.
    public func drain(within limit: Duration) { stop(within: limit) }

    /// Gives back all jobs at once, and ends the renderers' children.
    public func abandon() {
        state.withLock { $0.isAbandoned = true }
        stop(within: .zero)
        host.cancelAll()
        for token in leases.held { release(token) }
    }

    /// Whether jobs are given back whatever their outcome.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// The number of running jobs.
    public var runningCount: Int { leases.held.count }

    /// The dependencies that cannot be used now, with the reasons.
    public var troubles: [WorkerEvent.Dependency: String] { health.current }

    /// Whether the heartbeat's thread makes its rounds; a watchdog restarts a worker whose thread does not.
    public var isResponsive: Bool { leases.sinceLastBeat < options.heartbeatInterval * 3 + .seconds(10) }

    /// Sleeps until `duration` has passed or the worker is to stop.
    /// - Returns: `false` if the worker is to stop.
    @discardableResult
    func pause(_ duration: Duration) -> Bool { isStopping.wait(until: Time.monotonic + duration) == nil }

    /// Gives a job back. If the queue cannot be used, the job's lease expires instead.
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
        // After `isStopping` is set: a slot that makes its waiter later checks `isStopping` before it sleeps.
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

    /// Waits for the slots until the drain's deadline, then gives back their jobs.
    private func finish(_ slots: [Slot]) {
        let deadline = Time.monotonic + state.withLock { $0.drainLimit }
        for slot in slots where slot.isOver.wait(until: deadline) == nil { abandon() }
        // A thread that hangs in a system call, for example on a network file system, must not delay the program's end.
        let last = Time.monotonic + Self.longestEnd
        for slot in slots where slot.isOver.wait(until: last) != nil { slot.thread.join() }
    }

    private static let longestEnd: Duration = .seconds(2)

    private var mayWork: Bool { isStopping.current == nil }

    private func work(inSlot slot: Int, downTo lowest: Priority) {
        var ear: (waiter: any JobWaiter, generation: Int)?
        while mayWork {
            guard cacheIsInReach(), storeIsInReach() else { continue }
            do throws(QueueError) {
                // Made before the claim that finds no job: a job that arrives in between wakes it.
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

    /// Claims a job that may run beside those that run here. One of several slots is always left to other parties,
    /// whose jobs must not wait until slow ones have ended.
    private func claim(downTo lowest: Priority) throws(QueueError) -> ClaimedJob? {
        while true {
            let parties = state.withLock { state in Set(state.parties.filter { $0.value >= mostSlotsOfParty }.keys) }
            let claimed = try connection.use { (queue) throws(QueueError) in
                try queue.begin(by: options.name, for: options.lease, downTo: lowest, passing: parties)
            }
            health.clear(.queue)
            guard let claimed else { return nil }
            if begin(claimed.job.party) { return claimed }
            // Another slot was faster.
            release(claimed.token)
        }
    }

    private var mostSlotsOfParty: Int { max(1, options.slotCount + options.urgentSlotCount - 1) }

    /// Counts a job of a party that is to run here.
    ///
    /// - Returns: `false` if the party already has as many as it may have.
    private func begin(_ party: String?) -> Bool {
        guard let party else { return true }
        return state.withLock { state in
            let count = state.parties[party] ?? 0
            if count >= mostSlotsOfParty { return false }
            state.parties[party] = count + 1
            return true
        }
    }

    private func end(_ party: String?) {
        guard let party else { return }
        state.withLock { state in state.parties[party] = state.parties[party].flatMap { $0 > 1 ? $0 - 1 : nil } }
    }

    private func perform(_ claimed: ClaimedJob) {
        leases.hold(claimed.token)
        var run = JobRun(self, claimed)
        let report = run.perform()
        end(claimed.job.party)
        leases.drop(claimed.token)
        observer(.finished(report))
    }

    /// Whether the cache can be written; after a failed write it is probed, and the slot pauses while the probe fails.
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

    /// Whether the store can be used; after a failure it is probed, and the slot pauses while the probe fails.
    private func storeIsInReach() -> Bool {
        guard let shared, health.current[.store] != nil else { return true }
        do throws(Failure) {
            try shared.probe()
            health.clear(.store)
            return true
        } catch {
            pause(health.noteStore(error))
            return false
        }
    }
}
