import CLinux
import Fetching
import Linux
import Media
import Wire

/// Opens one piece of content, or one folder of a bucket, and carries out the host's requests in it. Bytes and lists go
/// to the host's file.
struct FetchService {
    private let socket: MessageSocket
    private let environment: [String: String]
    private var content: (any FetchedContent)?
    private var folder: BucketFolder?

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
                return .done
            case .fetch(let range):
                guard let content, let file = descriptors.first, range.upperBound <= content.byteCount else {
                    throw Failure(.unavailable, detail: "a request for bytes without content, file or place")
                }
                let (start, bytes) = try content.bytes(range)
                try Self.write(bytes, at: start, to: file)
                return .fetched(start..<start + Int64(bytes.count))
            case .openFolder(let target):
                folder = try BucketFolder(
                    target.address, endpoint: target.storeEndpoint, maxByteCount: target.maxByteCount,
                    environment: environment)
                return .done
            case .list(let beginning, let place):
                let (objects, next) = try opened.list(below: beginning, from: place)
                let listed = objects.map {
                    FetchListing.Object(name: $0.name, byteCount: $0.byteCount, modified: $0.modified)
                }
                return try Self.write(FetchListing(listed, next: next).bytes, to: descriptors)
            case .read(let name):
                guard let bytes = try opened.read(name) else { throw Failure(.sourceMissing) }
                return try Self.write(bytes, to: descriptors)
            case .remove(let name):
                try opened.remove(name)
                return .done
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

    private var opened: BucketFolder {
        get throws(Failure) {
            guard let folder else { throw Failure(.unavailable, detail: "a request for objects without a folder") }
            return folder
        }
    }

    private static func write(_ bytes: [UInt8], to descriptors: [Descriptor]) throws(Failure) -> FetchAnswer {
        guard let file = descriptors.first else {
            throw Failure(.unavailable, detail: "a request for objects without a file")
        }
        try write(bytes, at: 0, to: file)
        return .written(Int64(bytes.count))
    }

    private static func write(_ bytes: [UInt8], at start: Int64, to file: Descriptor) throws(Failure) {
        do throws(SystemError) {
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(SystemError) in try file.write(bytes, at: start) }
            }.get()
        } catch {
            throw Failure(.unavailable, message: "There is not enough space for the file.", detail: "\(error)")
        }
    }
}
