internal import Hashing
internal import Media
internal import S3

/// Pieces: bytes of an incoming file that are not in a part. Each has a name that is never reused, with the digest of
/// its bytes. So it does not matter when the bucket applies a request.
extension BucketStore {
    /// - Returns: the piece's name.
    func keepPiece(_ body: S3Body, of id: ObjectID) throws(S3Fault) -> String {
        let name = "\(body.digest.hex)-\(ObjectID.random())"
        try client.put(body, as: keys.piece(name, of: id))
        return name
    }

    /// The bytes of a piece.
    func piece(_ name: String, of id: ObjectID) throws(ObjectError) -> [UInt8] {
        let fault = S3Fault.corrupted("a piece of the file that arrives as \(id)")
        do throws(S3Fault) {
            let bytes = try client.read(whole: keys.piece(name, of: id), limit: Arrival.partByteCount).bytes
            guard name.hasPrefix("\(SHA256.digest(of: bytes).hex)-") else { throw fault }
            return bytes
        } catch {
            throw ObjectError(error == .missing ? fault : error)
        }
    }

    /// Removes a piece that no row names. If that fails, a sweep finds it.
    func removePiece(_ name: String?, of id: ObjectID) {
        if let name { try? client.remove(keys.piece(name, of: id)) }
    }
}
