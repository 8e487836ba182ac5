import CLinux
import Fetching
import Linux
import Media
import Wire

/// Opens one piece of content, and writes its bytes to the host's file as the host asks for them.
struct FetchService {
    private let socket: MessageSocket
    private let environment: [String: String]
    private var content: (any FetchedContent)?

    init(_ socket: MessageSocket, environment: [String: String]) {
        self.socket = socket
        self.environment = environment
    }

    /// Serves until the host closes its end.
    mutating func serve() {
        while let message = try? socket.receive(limit: Wire.longestMessage) {
            guard let request = try? FetchRequest(parsing: message.bytes) else { return }
            guard (try? socket.send(answer(to: request, message.descriptors).bytes)) != nil else { return }
        }
    }

    private mutating func answer(to request: FetchRequest, _ descriptors: [Descriptor]) -> FetchAnswer {
        do throws(Failure) {
            switch request {
            case .open(let target):
                let content = try open(target)
                self.content = content
                return .opened(byteCount: content.byteCount, version: content.version)
            case .probe(let target):
                try BucketProbe.run(target.address, endpoint: target.storeEndpoint, environment: environment)
                return .probed
            case .fetch(let range):
                guard let content, let file = descriptors.first, range.upperBound <= content.byteCount else {
                    throw Failure(.unavailable, detail: "a request for bytes without content, file or place")
                }
                let (start, bytes) = try content.bytes(range)
                try Self.write(bytes, at: start, to: file)
                return .fetched(start..<start + Int64(bytes.count))
            }
        } catch {
            return .failed(error)
        }
    }

    private func open(_ target: FetchTarget) throws(Failure) -> any FetchedContent {
        if target.address.hasPrefix("s3://") {
            return try BucketObject(
                target.address, endpoint: target.storeEndpoint, maxByteCount: target.maxByteCount,
                environment: environment)
        }
        return try WebContent(
            target.address, allowingPrivate: target.allowsPrivateAddresses, maxByteCount: target.maxByteCount,
            authorities: environment["CURL_CA_BUNDLE"])
    }

    private static func write(_ bytes: [UInt8], at start: Int64, to file: Descriptor) throws(Failure) {
        do throws(SystemError) {
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(SystemError) in try file.write(bytes, at: start) }
            }.get()
        } catch {
            throw Failure(.unavailable, message: "There is no room for the file.", detail: "\(error)")
        }
    }
}
