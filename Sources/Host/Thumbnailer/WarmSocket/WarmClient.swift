internal import CLinux
internal import Linux
public import Media
internal import RenderHost
public import SourceFiles
internal import Synchronization
internal import Wire

/// Asks another process with warm renderers for the renditions that the cache lacks.
///
/// It is not a failure if that process is gone, busy, hung, has another build or other limits, or sends invalid data:
/// the caller makes the renditions itself. A cache hit never opens the socket.
public final class WarmClient: WarmEngine {
    private let places: @Sendable () -> [String]
    private let explain: @Sendable (String) -> Void
    private let patience: Duration
    private let state: Mutex<State>

    private struct State {
        var asking: WarmAsking
        var isCancelled = false
        var connections: [ObjectIdentifier: Descriptor] = [:]
        var missingLayers: Set<String> = []
    }

    /// Time limit for the other process to accept a request.
    public static let standardPatience: Duration = .milliseconds(250)

    /// How long a busy process is not asked again.
    public static let standardPause: Duration = .milliseconds(500)

    /// A client that has not connected yet.
    ///
    /// - Parameters:
    ///   - places: gives the sockets' paths, called when something is first to be made.
    ///   - patience: time limit for the other process to accept a request.
    ///   - pause: how long a busy process is not asked again.
    ///   - explain: called for each source with who makes it and why.
    public init(
        places: @escaping @Sendable () -> [String], patience: Duration = standardPatience,
        pause: Duration = standardPause, explain: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        state = Mutex(State(asking: WarmAsking(pause: pause)))
        self.places = places
        self.patience = patience
        self.explain = explain
    }

    /// The layers of the confinement that the other process's renderers lack.
    public var missingLayers: [String] { state.withLock { $0.missingLayers.sorted() } }

    /// Ends the work of other processes for this one; waiting calls fail with `cancelled`.
    public func cancelAll() {
        let connections = state.withLock { state in
            state.isCancelled = true
            return Array(state.connections.values)
        }
        // The other process sees the end of the connection, and so does the thread that waits for it.
        for connection in connections { shutdown(connection.number, Int32(SHUT_RDWR)) }
    }

    func noteLayers(_ layers: [String]) { state.withLock { $0.missingLayers.formUnion(layers) } }

    func tell(_ text: String, of source: SourceFile, _ order: Order) {
        order.explanation?.note(service: text)
        explain("\(source.name): \(text)")
    }

    /// The renditions from the first process that listens; `nil` if it does not make them.
    public func thumbnails(
        of source: SourceFile, order: Order, for engine: Thumbnailer
    ) throws(Failure) -> Thumbnails? {
        let start = Time.monotonic
        do throws(WarmRefusal) {
            let result = try ask(for: source, order, engine)
            return try finished(result, of: source, order, engine, since: start)
        } catch {
            switch error {
            case .failure(let failure):
                tell("a running thumbd reports: \(failure)", of: source, order)
                throw failure
            case .alone(let reason, let again):
                if state.withLock({ $0.isCancelled }) { throw Failure(.cancelled) }
                state.withLock { $0.asking.refused(again, at: Time.monotonic) }
                tell("made without a running thumbd: \(reason)", of: source, order)
                return nil
            }
        }
    }
}

/// The reason why a source is not made through the socket.
enum WarmRefusal: Error {
    /// It fails in any process.
    case failure(Failure)
    /// It is made in this process.
    case alone(String, again: WarmAsking.Again)
}

extension WarmClient {
    private func ask(for source: SourceFile, _ order: Order, _ engine: Thumbnailer) throws(WarmRefusal) -> WarmResult {
        let (mayAsk, isGivenUp) = state.withLock { ($0.asking.begin(at: Time.monotonic), $0.asking.isGivenUp) }
        guard mayAsk else {
            throw .alone(isGivenUp ? "as before" : "it is asked again in a moment", again: .atOnce)
        }
        guard order.recipes.count <= WarmRequest.mostRecipes else {
            throw .alone("too many renditions for one request", again: .atOnce)
        }
        guard let terms = WarmTerms(of: engine) else { throw .alone("there is no cache yet", again: .atOnce) }
        let request = WarmRequest(
            terms: terms, name: Self.lastPart(of: source.name), recipes: order.recipes, isForced: order.isForced,
            wantsDigest: order.wantsDigest, threadCount: order.threadCount ?? engine.threadCount)
        let socket = try connect()
        let id = ObjectIdentifier(socket.descriptor)
        state.withLock { $0.connections[id] = socket.descriptor }
        defer { state.withLock { state in _ = state.connections.removeValue(forKey: id) } }
        do throws(SystemError) {
            try socket.send(request.bytes, descriptors: [source.descriptor.number])
        } catch {
            throw .alone("\(error)", again: .afterPause)
        }
        return try result(from: socket, within: Self.longestWait(for: order, engine))
    }

    /// Connects to the first process that listens.
    private func connect() throws(WarmRefusal) -> MessageSocket {
        let places = places()
        var reasons: [String] = []
        for place in places {
            do throws(SystemError) {
                return try LocalSocket(path: place).connect()
            } catch {
                switch error.number {
                // Usually nobody listens, which is not worth reporting.
                case ENOENT, ENOTDIR, ECONNREFUSED: continue
                // The kernel's queue of connections is full.
                case EAGAIN: throw .alone(Self.busy, again: .afterPause)
                default: reasons.append("\(place): \(error)")
                }
            }
        }
        if let reason = reasons.first { throw .alone(reason, again: .never) }
        guard let place = places.first else { throw .alone("there is no cache yet", again: .atOnce) }
        throw .alone("nothing listens at \(place)", again: .never)
    }

    private func result(from socket: MessageSocket, within limit: Duration) throws(WarmRefusal) -> WarmResult {
        switch try answer(from: socket, within: patience) {
        case .accepted: state.withLock { $0.asking.accepted() }
        case .refused(let reason): throw .alone(reason, again: .never)
        case .failed(let failure) where failure.code == .unavailable: throw .alone(Self.busy, again: .afterPause)
        case .made, .failed: throw .alone("it answered out of order", again: .never)
        case nil: throw .alone("it did not answer in time", again: .never)
        }
        switch try answer(from: socket, within: limit) {
        case .made(let result): return result
        // The other process's own problem: the source may succeed here.
        case .failed(let failure) where failure.code == .unavailable || failure.code == .cancelled:
            throw .alone("it failed: \(failure)", again: .afterPause)
        case .failed(let failure): throw .failure(failure)
        case .refused(let reason): throw .alone(reason, again: .atOnce)
        case .accepted: throw .alone("it answered out of order", again: .never)
        case nil: throw .alone("it did not finish in time", again: .never)
        }
    }

    private static let busy = "it is busy"

    /// One message; `nil` if none arrives in time.
    private func answer(from socket: MessageSocket, within limit: Duration) throws(WarmRefusal) -> WarmAnswer? {
        do throws(SystemError) {
            guard try socket.waitForMessage(until: Time.monotonic + limit) else { return nil }
            guard let message = try socket.receive(limit: Wire.longestMessage, waits: false) else {
                throw SystemError("receive its answer", number: ECONNRESET)
            }
            return try WarmAnswer.parsed(message.bytes)
        } catch {
            throw .alone("\(error)", again: .afterPause)
        }
    }

    /// Time limit for an order: one render for each page or time, and one more for the wait behind others.
    private static func longestWait(for order: Order, _ engine: Thumbnailer) -> Duration {
        let renderCount = Set(order.recipes.map { "\($0.pageIndex) \($0.time)" }).count
        return engine.limits.wallTime * (renderCount + 1) + .seconds(5)
    }

    private static func lastPart(of name: String) -> String {
        var part = name.split(separator: "/").last ?? ""
        while part.utf8.count > WarmRequest.longestName { part.removeFirst() }
        return String(part)
    }
}

extension WarmAnswer {
    /// Parses an answer; a program of another version fails here.
    fileprivate static func parsed(_ bytes: [UInt8]) throws(SystemError) -> WarmAnswer {
        guard let answer = try? WarmAnswer(parsing: bytes) else {
            throw SystemError("understand its answer", number: EPROTO)
        }
        return answer
    }
}
