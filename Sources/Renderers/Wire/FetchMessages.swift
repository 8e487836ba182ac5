public import Media

/// A host's request to `compass-fetch`: to open content and then fetch its bytes, or to open a folder and then use its
/// objects.
public enum FetchRequest: Hashable, Sendable {
    /// Opens the content at an address.
    case open(FetchTarget)
    /// Fetches bytes to the same offsets of the file sent along.
    case fetch(Range<Int64>)
    /// Checks that the bucket of an address can be written, read and cleared; no content needs to be open.
    case probe(FetchTarget)
    /// Opens the folder of a bucket, `s3://BUCKET/FOLDER`. Objects larger than the target's bound are not read.
    case openFolder(FetchTarget)
    /// Lists objects of the folder whose names begin with a text, from a place of an earlier `FetchListing` on. The
    /// `FetchListing` goes to the beginning of the file sent along.
    case list(below: String, from: String?)
    /// Reads an object by its name in the folder, to the beginning of the file sent along.
    case read(String)
    /// Removes an object of the folder; a missing object is not an error.
    case remove(String)
}

/// Remote content and the ways it may be reached.
public struct FetchTarget: Hashable, Sendable {
    /// `https://…`, or `s3://BUCKET/KEY`.
    public var address: String
    /// The address of the bucket's store; `nil` for Amazon S3.
    public var storeEndpoint: String?
    /// Whether the host may have a private address.
    public var allowsPrivateAddresses: Bool
    /// Larger content is refused.
    public var maxByteCount: Int64

    /// A target with these bounds.
    public init(
        _ address: String, storeEndpoint: String? = nil, allowsPrivateAddresses: Bool = false, maxByteCount: Int64
    ) {
        self.address = address
        self.storeEndpoint = storeEndpoint
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.maxByteCount = maxByteCount
    }
}

/// The answer of `compass-fetch` to a request.
public enum FetchAnswer: Hashable, Sendable {
    /// The content is open.
    ///
    /// - Parameter version: changes with the content; `nil` if the server names none.
    case opened(byteCount: Int64, version: String?)
    /// These bytes are in the file.
    case fetched(Range<Int64>)
    /// This number of bytes is at the beginning of the file.
    case written(Int64)
    /// The bucket is usable, the folder is open, or the object no longer exists.
    case done
    /// The reason why the request failed; `sourceMissing` if there is no such object.
    case failed(Failure)
}

extension FetchRequest: WireMessage {
    /// The request as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        switch self {
        case .open(let target):
            writer.write(UInt8(0))
            writer.write(target)
        case .fetch(let range):
            writer.write(UInt8(1))
            writer.write(range)
        case .probe(let target):
            writer.write(UInt8(2))
            writer.write(target)
        case .openFolder(let target):
            writer.write(UInt8(3))
            writer.write(target)
        case .list(let beginning, let place):
            writer.write(UInt8(4))
            writer.write(beginning)
            writer.write(place) { $0.writeLong($1) }
        case .read(let name):
            writer.write(UInt8(5))
            writer.write(name)
        case .remove(let name):
            writer.write(UInt8(6))
            writer.write(name)
        }
        return writer.bytes
    }

    /// Parses a request.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        switch try reader.integer(UInt8.self) {
        case 0: self = .open(try reader.fetchTarget())
        case 1: self = .fetch(try reader.byteRange())
        case 2: self = .probe(try reader.fetchTarget())
        case 3: self = .openFolder(try reader.fetchTarget())
        case 4: self = .list(below: try reader.text(), from: try reader.listingPlace())
        case 5: self = .read(try reader.text())
        case 6: self = .remove(try reader.text())
        default: throw reader.failure("kind of request")
        }
        try reader.finish()
    }
}

extension FetchAnswer: WireMessage {
    /// The answer as one message.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        switch self {
        case .opened(let byteCount, let version):
            writer.write(UInt8(0))
            writer.write(byteCount)
            writer.write(version) { $0.write($1) }
        case .fetched(let range):
            writer.write(UInt8(1))
            writer.write(range)
        case .failed(let failure):
            writer.write(UInt8(2))
            writer.write(failure)
        case .done: writer.write(UInt8(3))
        case .written(let byteCount):
            writer.write(UInt8(4))
            writer.write(byteCount)
        }
        return writer.bytes
    }

    /// Parses an answer; texts are bounded.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        switch try reader.integer(UInt8.self) {
        case 0:
            let byteCount = try reader.integer(Int64.self)
            guard byteCount >= 0 else { throw reader.failure("byte count") }
            self = .opened(
                byteCount: byteCount, version: try reader.optional { reader throws(WireError) in try reader.text() })
        case 1: self = .fetched(try reader.byteRange())
        case 2: self = .failed(try reader.anyFailure())
        case 3: self = .done
        case 4:
            let byteCount = try reader.integer(Int64.self)
            guard byteCount >= 0 else { throw reader.failure("byte count") }
            self = .written(byteCount)
        default: throw reader.failure("kind of answer")
        }
        try reader.finish()
    }
}

extension WireWriter {
    fileprivate mutating func write(_ target: FetchTarget) {
        write(target.address)
        write(target.storeEndpoint) { $0.write($1) }
        write(target.allowsPrivateAddresses)
        write(target.maxByteCount)
    }
}

extension WireReader {
    fileprivate mutating func fetchTarget() throws(WireError) -> FetchTarget {
        var target = FetchTarget(try text(), maxByteCount: 0)
        target.storeEndpoint = try optional { reader throws(WireError) in try reader.text() }
        target.allowsPrivateAddresses = try bool()
        target.maxByteCount = try integer()
        guard target.maxByteCount >= 0 else { throw failure("byte count") }
        return target
    }
}
