package import COpenJPEG

/// A JPEG 2000 file in memory, for OpenJPEG to read.
package final class JPXInput {
    private let file: [UInt8]
    private var offset = 0

    /// An input at the beginning of a file.
    package init(_ file: [UInt8]) { self.file = file }

    /// An OpenJPEG stream of the file; `nil` if memory runs out.
    ///
    /// The stream retains this object. The caller destroys it with `opj_stream_destroy`.
    package func makeStream() -> UnsafeMutablePointer<opj_stream_t?>? {
        guard let stream = opj_stream_create(64 << 10, 1) else { return nil }
        opj_stream_set_user_data(stream, Unmanaged.passRetained(self).toOpaque()) { user in
            Unmanaged<JPXInput>.fromOpaque(user!).release()
        }
        opj_stream_set_user_data_length(stream, UInt64(file.count))
        opj_stream_set_read_function(stream) { target, count, user in JPXInput.at(user).read(into: target, count) }
        opj_stream_set_skip_function(stream) { count, user in JPXInput.at(user).skip(Int(count)) ? count : -1 }
        opj_stream_set_seek_function(stream) { offset, user in JPXInput.at(user).seek(to: Int(offset)) ? 1 : 0 }
        return stream
    }

    private static func at(_ user: UnsafeMutableRawPointer?) -> JPXInput {
        Unmanaged<JPXInput>.fromOpaque(user!).takeUnretainedValue()
    }

    private func read(into target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let count = min(count, file.count - offset)
        // OpenJPEG reads -1, the largest OPJ_SIZE_T, as the end of the file.
        guard count > 0, let target else { return -1 }
        file.withUnsafeBytes { target.copyMemory(from: $0.baseAddress! + offset, byteCount: count) }
        offset += count
        return count
    }

    private func skip(_ count: Int) -> Bool {
        let (sum, overflow) = offset.addingReportingOverflow(count)
        return !overflow && seek(to: sum)
    }

    private func seek(to offset: Int) -> Bool {
        guard (0...file.count).contains(offset) else { return false }
        self.offset = offset
        return true
    }
}
