internal import Linux
internal import Media
internal import RenderHost

/// An object that children read through the host, in whole verified blocks.
struct BucketRanges: RangedContent {
    let reader: BucketReader

    var byteCount: Int64 { reader.byteCount }

    func fetch(
        _ range: Range<Int64>, into file: Descriptor, within patience: Duration
    ) throws(Failure) -> Range<Int64> {
        let (start, bytes): (Int64, [UInt8])
        do throws(ObjectError) {
            (start, bytes) = try reader.blocks(touching: range, within: patience)
        } catch {
            throw error.failure
        }
        do throws(SystemError) {
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(SystemError) in try file.write(bytes, at: start) }
            }.get()
        } catch {
            throw Failure(.unavailable, message: "There is not enough space for the file.", detail: "\(error)")
        }
        return start..<start + Int64(bytes.count)
    }
}
