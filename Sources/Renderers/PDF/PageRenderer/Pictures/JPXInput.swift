package import COpenJPEG

/// A file in memory as OpenJPEG reads one.
package final class JPXInput {
    private let file: [UInt8]
    private var place = 0

    package init(_ file: [UInt8]) { self.file = file }

    /// A stream that keeps this object for as long as it exists; the caller ends it by `opj_stream_destroy`.
    package func makeStream() -> UnsafeMutablePointer<opj_stream_t?>? {
        guard let stream = opj_stream_create(64 << 10, 1) else { return nil }
        opj_stream_set_user_data(stream, Unmanaged.passRetained(self).toOpaque()) { user in
            Unmanaged<JPXInput>.fromOpaque(user!).release()
        }
        opj_stream_set_user_data_length(stream, UInt64(file.count))
        opj_stream_set_read_function(stream) { target, count, user in JPXInput.at(user).read(into: target, count) }
        opj_stream_set_skip_function(stream) { count, user in JPXInput.at(user).skip(Int(count)) ? count : -1 }
        opj_stream_set_seek_function(stream) { place, user in JPXInput.at(user).seek(to: Int(place)) ? 1 : 0 }
        return stream
    }

    private static func at(_ user: UnsafeMutableRawPointer?) -> JPXInput {
        Unmanaged<JPXInput>.fromOpaque(user!).takeUnretainedValue()
    }

    private func read(into target: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let count = min(count, file.count - place)
        // OpenJPEG's word for the end: the largest number.
        guard count > 0, let target else { return -1 }
        file.withUnsafeBytes { target.copyMemory(from: $0.baseAddress! + place, byteCount: count) }
        place += count
        return count
    }

    private func skip(_ count: Int) -> Bool {
        let (sum, overflow) = place.addingReportingOverflow(count)
        return !overflow && seek(to: sum)
    }

    private func seek(to place: Int) -> Bool {
        guard (0...file.count).contains(place) else { return false }
        self.place = place
        return true
    }
}
