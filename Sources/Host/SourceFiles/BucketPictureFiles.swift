internal import CLinux
internal import Linux
public import Media
public import ThumbnailCache
public import Wire

/// The pictures that machines share in a bucket. A `compass-fetch` process accesses them: this process loads no network
/// library. That process ends with this object.
public final class BucketPictureFiles: SharedPictureFiles {
    private let socket: MessageSocket
    private let processID: pid_t

    /// Starts the process; does not contact the store yet.
    ///
    /// - Parameter store: its address is that of the files' store: `s3://BUCKET/PREFIX`.
    /// - Throws: `usage` if settings are missing; `unavailable` if there is no such program.
    public init(_ store: FetchTarget) throws(Failure) {
        var target = store
        target.address += "/\(SharedPictureFile.folder)"
        target.maxByteCount = Int64(SharedPictureFile.longest)
        guard target.address.utf8.count <= Wire.longestText else {
            throw Failure(.usage, message: "The address is longer than \(Wire.longestText) bytes.")
        }
        let (socket, processID) = try FetchProcess.started()
        do throws(Failure) {
            let answer = try FetchProcess.ask(.openFolder(target), on: socket, with: [])
            guard case .done = answer else { throw FetchProcess.nonsense(answer) }
            (self.socket, self.processID) = (socket, processID)
        } catch {
            FetchProcess.end(processID)
            throw error
        }
    }

    deinit { FetchProcess.end(processID) }

    /// Up to a thousand files, with one request.
    public func list(
        _ digest: Digest?, from place: String?
    ) throws(Failure) -> (files: [SharedPictureFile], next: String?) {
        let beginning = digest.map { "\($0.hex)/" } ?? ""
        let bytes = try answer(to: .list(below: beginning, from: place), atMost: FetchListing.longest)
        guard let listing = try? FetchListing(parsing: bytes), listing.next == nil || listing.next != place else {
            throw Failure(.unavailable, detail: "\(FetchProcess.programName) wrote no list")
        }
        let files = listing.objects.map {
            SharedPictureFile(name: $0.name, byteCount: $0.byteCount, modified: $0.modified)
        }
        return (files, listing.next)
    }

    /// One request.
    public func read(_ name: String) throws(Failure) -> [UInt8]? {
        do throws(Failure) {
            return try answer(to: .read(name), atMost: SharedPictureFile.longest)
        } catch {
            guard error.code == .sourceMissing else { throw error }
            return nil
        }
    }

    /// One request.
    public func remove(_ name: String) throws(Failure) {
        let answer = try FetchProcess.ask(.remove(name), on: socket, with: [])
        guard case .done = answer else { throw FetchProcess.nonsense(answer) }
    }

    /// The bytes that the process writes into a file in memory.
    private func answer(to request: FetchRequest, atMost longest: Int) throws(Failure) -> [UInt8] {
        let file = try Self.converting { () throws(SystemError) in try MemoryFile.unsized(name: "picture") }
        let answer = try FetchProcess.ask(request, on: socket, with: [file.number])
        guard case .written(let count) = answer, count <= longest else { throw FetchProcess.nonsense(answer) }
        let bytes = try Self.converting { () throws(SystemError) in try file.bytes(at: 0, count: Int(count)) }
        guard bytes.count == count else { throw FetchProcess.nonsense(answer) }
        return bytes
    }

    private static func converting<Value>(_ body: () throws(SystemError) -> Value) throws(Failure) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            throw Failure(.unavailable, detail: "\(FetchProcess.programName): \(error)")
        }
    }
}
