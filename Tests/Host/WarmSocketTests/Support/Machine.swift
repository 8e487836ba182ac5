import CLinux
import Linux
import Media
import RenderHost
import SourceFiles
import Synchronization
import TestSupport
import ThumbnailCache
import Thumbnailer

/// A folder with fake renderers, a cache and room for a socket, where hosts meet.
final class Machine: Sendable {
    let folder: String
    let cache: FolderCache
    let socketPath: String
    private let hosts = Mutex<[RenderHost]>([])
    private let said = Mutex<[String]>([])
    private let servedRequests = Mutex<[WarmServer.Served]>([])

    init() throws {
        folder = TemporaryFolder.make("warm")
        cache = FolderCache(path: "\(folder)/cache")
        socketPath = "\(folder)/run/warm"
        try cache.makeFolder()
        Self.link("\(BuiltPrograms.folder)/fake-renderer", into: "\(folder)/libexec")
    }

    /// Another folder with the same program under another inode, as after an upgrade.
    func otherPrograms() -> String {
        system("cp '\(BuiltPrograms.folder)/fake-renderer' '\(folder)/upgraded'")
        Self.link("\(folder)/upgraded", into: "\(folder)/libexec2")
        return "\(folder)/libexec2"
    }

    /// A host with an engine over this machine's cache.
    func engine(
        limits: Limits = Limits(), maxUnhashed: UInt64 = 1 << 20, programs: String? = nil, cache: FolderCache? = nil,
        requiresSandbox: Bool = false, asking client: WarmClient? = nil
    ) -> Thumbnailer {
        let host = RenderHost(
            programs: RendererPrograms(directory: programs ?? "\(folder)/libexec"), requiresSandbox: requiresSandbox)
        hosts.withLock { $0.append(host) }
        return Thumbnailer(
            host: host, cache: cache ?? self.cache, limits: limits, maxUnhashedByteCount: maxUnhashed, threadCount: 1,
            warmEngine: client, warn: { _ in })
    }

    /// A client that looks here, and notes what it explains.
    func client(patience: Duration = .seconds(5), pause: Duration = .zero) -> WarmClient {
        let path = socketPath
        return WarmClient(
            places: { [path] }, patience: patience, pause: pause,
            explain: { text in self.said.withLock { $0.append(text) } })
    }

    /// A server that listens.
    func server(_ engine: Thumbnailer? = nil, requestLimit: Int = WarmServer.mostRequests) throws -> WarmServer {
        let server = try WarmServer(
            engine: engine ?? self.engine(), socket: socketPath, requestLimit: requestLimit
        ) { request in
            self.servedRequests.withLock { $0.append(request) }
        }
        try server.start()
        return server
    }

    /// How many jobs all hosts here have in work.
    var runningCount: Int { hosts.withLock { $0 }.reduce(0) { $0 + $1.runningCount } }

    var explanations: [String] { said.withLock { $0 } }
    var served: [WarmServer.Served] { servedRequests.withLock { $0 } }

    /// A file with this text, which is the fake renderer's command.
    func source(_ text: String, name: String = "source.png") throws -> SourceFile {
        let path = "\(folder)/\(name)"
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(text.utf8))
        return try .open(path)
    }

    func close() {
        for host in hosts.withLock({ $0 }) { host.shutDown() }
        system("rm -rf '\(folder)'")
    }

    private static func link(_ program: String, into folder: String) {
        mkdir(folder, 0o755)
        for rendererClass in RendererClass.allCases { symlink(program, "\(folder)/\(rendererClass.programName)") }
    }
}
