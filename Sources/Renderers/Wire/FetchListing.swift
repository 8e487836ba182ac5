/// A part of the listing of a bucket's folder, as `compass-fetch` writes it to the host's file.
public struct FetchListing: Hashable, Sendable {
    /// An entry of the list: name, size and time.
    public struct Object: Hashable, Sendable {
        /// Without the folder.
        public var name: String
        /// As reported by the store.
        public var byteCount: Int64
        /// When it was written, in nanoseconds since 1970.
        public var modified: Int64

        /// An object as listed by a store.
        public init(name: String, byteCount: Int64, modified: Int64) {
            self.name = name
            self.byteCount = byteCount
            self.modified = modified
        }
    }

    /// At most `mostObjects` objects in the store's order.
    public var objects: [Object]
    /// The place to continue; `nil` at the end.
    public var next: String?

    /// A part with these objects.
    public init(_ objects: [Object], next: String?) {
        self.objects = objects
        self.next = next
    }

    /// The most objects in a part, as in an answer from S3.
    public static let mostObjects = 1000
    /// The longest name, in bytes of UTF-8: S3's limit for keys.
    static let longestName = 1024
    /// The longest continuation place of a list, in bytes of UTF-8.
    static let longestPlace = 8 << 10
    /// The most bytes of a part.
    public static let longest = mostObjects * (longestName + 20) + longestPlace + 16
}

extension FetchListing: WireMessage {
    /// The part as one message for a file; it may be longer than messages on sockets.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(UInt32(clamping: objects.count))
        for object in objects {
            writer.writeLong(object.name)
            writer.write(object.byteCount)
            writer.write(object.modified)
        }
        writer.write(next) { $0.writeLong($1) }
        return writer.bytes
    }

    /// Parses a part; names and counts are bounded.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        let count = Int(try reader.integer(UInt32.self))
        guard count <= Self.mostObjects else { throw reader.failure("list length") }
        var objects: [Object] = []
        for _ in 0..<count {
            let name = try reader.longText(Self.longestName)
            let byteCount = try reader.integer(Int64.self)
            guard byteCount >= 0 else { throw reader.failure("byte count") }
            objects.append(Object(name: name, byteCount: byteCount, modified: try reader.integer()))
        }
        self.init(objects, next: try reader.listingPlace())
        try reader.finish()
    }
}

extension WireReader {
    /// A place in a list, or none.
    mutating func listingPlace() throws(WireError) -> String? {
        try optional { reader throws(WireError) in try reader.longText(FetchListing.longestPlace) }
    }
}
