internal import CLinux
internal import Linux
public import Media
internal import Synchronization

/// Serves other hosts of this user through a socket. They send a source with a request; this process's engine with its
/// warm renderers makes the renditions into the cache that both use.
///
/// One thread handles all connections, and each accepted request has its own thread for its work. The end of a
/// connection ends its work. Messages are parsed as hostile input, although only this user can send any.
public final class WarmServer: Sendable {
    /// The socket's path.
    public let path: String
    let engine: Thumbnailer
    let requestLimit: Int
    let served: @Sendable (Served) -> Void
    private let socket: LocalSocket
    private let loop = Mutex<Loop?>(nil)

    private struct Loop {
        let wake: MessageSocket
        let thread: WorkerThread
        let connections: WarmConnections
    }

    /// One completed request.
    public struct Served: Sendable {
        /// The last part of the source's name, bounded and printable.
        public let name: String
        /// How the request ended.
        public let outcome: Outcome
        /// The time from the connection to the end.
        public let duration: Duration

        /// The ends of a request.
        public enum Outcome: Sendable {
            case made(isCached: Bool)
            case failed(Failure)
            /// Refused for this reason.
            case refused(String)
            /// Turned away because too many others were in progress; the client asks again later.
            case busy
        }
    }

    /// The maximum number of requests in progress; other clients do the work themselves, and ask again later.
    public static let mostRequests = 64

    /// A server that does not listen yet.
    ///
    /// - Parameters:
    ///   - engine: has a cache, and no warm engine of its own.
    ///   - socket: an absolute path; its folder is created if it is missing, and must belong to this user alone.
    ///   - requestLimit: the maximum number of requests in progress.
    ///   - served: called with each request, on the thread that served it.
    /// - Throws: `unavailable` if the folder cannot be used.
    public init(
        engine: Thumbnailer, socket path: String, requestLimit: Int = mostRequests,
        served: @escaping @Sendable (Served) -> Void = { _ in }
    ) throws(Failure) {
        self.path = path
        self.engine = engine
        self.requestLimit = requestLimit
        self.served = served
        do throws(SystemError) {
            socket = try LocalSocket(path: path, makesFolder: true)
        } catch {
            throw Failure(.unavailable, message: "The socket cannot be created.", detail: "\(path): \(error)")
        }
    }

    /// A server that listens at the first of these places whose folder can be used.
    ///
    /// - Throws: `unavailable` if there is no such place, or another process listens there.
    public static func listening(
        atFirstOf places: [String], engine: Thumbnailer, served: @escaping @Sendable (Served) -> Void = { _ in }
    ) throws(Failure) -> WarmServer {
        var failure = Failure(.unavailable, message: "No folder is suitable for the socket.")
        for place in places {
            let server: WarmServer
            do throws(Failure) {
                server = try WarmServer(engine: engine, socket: place, served: served)
            } catch {
                failure = error
                continue
            }
            try server.start()
            return server
        }
        throw failure
    }

    /// Listens from now on.
    ///
    /// - Throws: `unavailable` if another process listens there, or no thread is available.
    public func start() throws(Failure) {
        do throws(SystemError) {
            let listener = try socket.listen()
            let (ours, theirs) = try MessageSocket.pair()
            let connections = WarmConnections(server: self)
            let thread = try WorkerThread(name: "warm-socket") {
                WarmLoop(listener: listener, wake: theirs, connections: connections).run()
            }
            loop.withLock { $0 = Loop(wake: ours, thread: thread, connections: connections) }
        } catch {
            throw Failure(.unavailable, message: "Cannot listen on the socket.", detail: "\(path): \(error)")
        }
    }

    /// The number of requests in progress now.
    public var runningCount: Int { loop.withLock { $0?.connections }?.runningCount ?? 0 }

    /// Accepts no more requests, lets those in progress finish within `patience`, and ends the rest.
    public func stop(finishingWithin patience: Duration = .zero) {
        let running = loop.withLock { loop in
            defer { loop = nil }
            return loop
        }
        guard let running else { return }
        shutdown(running.wake.descriptor.number, Int32(SHUT_RDWR))
        running.thread.join()
        running.connections.close(finishingWithin: patience)
    }

    deinit { stop() }
}
