import Foundation
import Glibc
public import S3
import TestSupport

/// A SeaweedFS of this process, on loopback, in a scratch folder. It ends with this process, which also removes its
/// folder.
public final class TestStore: Sendable {
    /// Such as `http://127.0.0.1:8333`.
    public let address: String
    public let port: UInt16

    /// The credentials that sign requests to it.
    public static let credentials = S3Credentials(accessKey: accessKey, secretKey: secretKey)
    public static let accessKey = "testAccessKey"
    public static let secretKey = "testSecret/Key+"
    public static let bucket = "test-bucket"

    /// The store of this process, started by the first test that asks.
    public static let shared = Result { try TestStore() }

    private init() throws {
        guard FileManager.default.isExecutableFile(atPath: StoreTools.weed) else {
            throw StoreTools.Failed(text: "\(StoreTools.weed) is missing: make store-tools")
        }
        let folder = TemporaryFolder.make("store")
        let identities = """
            {"identities": [{"name": "test", "actions": ["Admin", "Read", "Write", "List", "Tagging"],
            "credentials": [{"accessKey": "\(Self.accessKey)", "secretKey": "\(Self.secretKey)"}]}]}
            """
        try identities.write(toFile: "\(folder)/identities.json", atomically: true, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
        let ports = Self.freePorts(8)
        port = ports[0]
        address = "http://127.0.0.1:\(port)"
        let weed = [
            StoreTools.weed, "server", "-dir=\(folder)/data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3",
            "-s3.config=\(folder)/identities.json", "-s3.port=\(port)", "-s3.port.grpc=\(ports[1])",
            "-s3.port.iceberg=0", "-s3.port.lance=0", "-master.port=\(ports[2])", "-master.port.grpc=\(ports[3])",
            "-volume.port=\(ports[4])", "-volume.port.grpc=\(ports[5])", "-filer.port=\(ports[6])",
            "-filer.port.grpc=\(ports[7])", "-volume.max=50", "-master.volumeSizeLimitMB=512",
            "-master.telemetry=false", "-s3.autoCreateBucket=false",
        ]
        // The shell reads until this process ends, however it ends.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", Self.script, "sh", folder, ports.map { "/tmp/seaweedfs-*-\($0).sock" }.joined(separator: " ")] + weed
        let life = Pipe()
        process.standardInput = life
        try process.run()
        Self.lives.append(life)
        try awaitStart(folder)
    }

    /// Starts the server, and ends it; the server leaves sockets in `/tmp`.
    private static let script = """
        folder=$1; sockets=$2; shift 2
        "$@" > "$folder/log" 2>&1 < /dev/null & server=$!
        cat > /dev/null; kill -9 $server; wait $server; rm -rf "$folder" $sockets
        """

    /// Keeps the pipes open.
    nonisolated(unsafe) private static var lives: [Pipe] = []

    private func awaitStart(_ folder: String) throws {
        let made = try StoreTools.run([
            "-c",
            """
            import boto3, botocore.config, time
            s3 = boto3.client("s3", endpoint_url="\(address)", region_name="us-east-1",
                aws_access_key_id="\(Self.accessKey)", aws_secret_access_key="\(Self.secretKey)",
                config=botocore.config.Config(retries={"total_max_attempts": 1}, connect_timeout=2))
            for attempt in range(240):
                try:
                    s3.create_bucket(Bucket="\(Self.bucket)")
                    s3.put_object(Bucket="\(Self.bucket)", Key="started", Body=b"x")
                    print("ready")
                    break
                except Exception:
                    time.sleep(0.25)
            """,
        ])
        guard made == "ready\n" else { throw StoreTools.Failed(text: "SeaweedFS does not start: see \(folder)/log") }
    }

    /// Ports on which nothing listens now. The kernel never gives them to connections, and they are chosen at random:
    /// until the server has bound them, hardly any other program does.
    static func freePorts(_ count: Int) -> [UInt16] {
        let sockets = (0..<count).map { _ in socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        defer { for socket in sockets { close(socket) } }
        return sockets.map { socket in
            while true {
                let port = UInt16.random(in: 10_000..<32_768)
                if LocalPort.bind(socket, to: port) { return port }
            }
        }
    }

    /// The store's bucket, at the store's own address or a proxy's.
    public func client(
        at address: String? = nil, bucket: String = TestStore.bucket, credentials: S3Credentials = credentials,
        patience: S3Patience = S3Patience()
    ) -> S3Client {
        S3Client(
            S3Endpoint(address ?? self.address, bucket: bucket, region: "us-east-1")!, credentials, patience: patience)
    }
}

/// Sockets on loopback.
enum LocalPort {
    /// Binds a socket to any free port, and returns the port.
    static func bind(_ socket: Int32) -> UInt16 {
        precondition(bind(socket, to: 0), "no free port")
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { address in
            _ = address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Binds a socket to a port; `false` if it is taken.
    static func bind(_ socket: Int32, to port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// A connection to a port of this machine; `nil` if nothing listens there.
    static func connect(_ port: UInt16) -> Int32? {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return number }
        close(number)
        return nil
    }
}
