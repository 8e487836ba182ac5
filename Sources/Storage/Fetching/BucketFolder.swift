public import Media
internal import S3

/// A folder of a bucket. Its objects are listed, read and removed by their names in it.
public struct BucketFolder {
    private let client: S3Client
    private let folder: String
    private let maxByteCount: Int

    /// An object as the store lists it.
    public struct Object: Hashable, Sendable {
        /// The object's name, without the folder.
        public let name: String
        /// The length of the object.
        public let byteCount: Int64
        /// When the object was written, in nanoseconds since 1970.
        public let modified: Int64
    }

    /// A folder; it sends no request yet.
    ///
    /// - Parameters:
    ///   - address: `s3://BUCKET/FOLDER`.
    ///   - endpoint: the address of the store; `nil` for Amazon's.
    ///   - maxByteCount: larger objects are not read.
    ///   - environment: has the store's key, or its location, in the variables that Amazon's tools use.
    /// - Throws: `usage` if settings are missing or wrong.
    public init(
        _ address: String, endpoint: String?, maxByteCount: Int64, environment: [String: String]
    ) throws(Failure) {
        let place = try BucketAddress(address)
        // A request with all its retries must take less time than the host waits.
        var patience = S3Patience()
        (patience.stalling, patience.whole, patience.mostTries) = (.seconds(15), .seconds(60), 4)
        client = try place.client(endpoint: endpoint, environment: environment, patience: patience)
        folder = place.folder
        self.maxByteCount = Int(clamping: maxByteCount)
    }

    /// Up to a thousand objects, including objects in subfolders.
    ///
    /// - Parameters:
    ///   - beginning: the prefix of the wanted names.
    ///   - place: `next` of the previous call; `nil` for the first page.
    /// - Throws: `unavailable`.
    public func list(
        below beginning: String, from place: String?
    ) throws(Failure) -> (objects: [Object], next: String?) {
        let page: S3Page
        do throws(S3Fault) {
            page = try client.list(
                prefix: folder + beginning, after: nil, delimiter: nil, limit: 1000, token: place)
        } catch {
            throw Self.failure(error)
        }
        guard page.entries.allSatisfy({ $0.key.utf8.starts(with: folder.utf8) }) else {
            throw Self.failure(.refused("the list has an object of another folder"))
        }
        let objects = page.entries.map { entry in
            let name = String(decoding: entry.key.utf8.dropFirst(folder.utf8.count), as: UTF8.self)
            return Object(name: name, byteCount: entry.byteCount, modified: entry.modified)
        }
        return (objects, page.next)
    }

    /// The bytes of an object; `nil` if there is none.
    ///
    /// - Throws: `unavailable`.
    public func read(_ name: String) throws(Failure) -> [UInt8]? {
        do throws(S3Fault) {
            return try client.read(whole: folder + name, limit: maxByteCount).bytes
        } catch {
            if error == .missing { return nil }
            throw Self.failure(error)
        }
    }

    /// Removes an object; succeeds if there is none.
    ///
    /// - Throws: `unavailable`.
    public func remove(_ name: String) throws(Failure) {
        do throws(S3Fault) {
            try client.remove(folder + name)
        } catch {
            throw Self.failure(error)
        }
    }

    /// The fault's own text has the remedy, and no content.
    private static func failure(_ fault: S3Fault) -> Failure {
        Failure(.unavailable, message: "The store cannot be used: \(fault).")
    }
}
