/// The memory of several planes, filled at once.
enum PlaneMemory {
    /// - Parameters:
    ///   - counts: samples of each plane.
    ///   - fill: writes all of them, or throws.
    static func filled(
        _ counts: [Int], by fill: ([UnsafeMutableBufferPointer<UInt8>]) throws(Declined) -> Void
    ) throws(Declined) -> [[UInt8]] {
        var planes: [[UInt8]] = []
        try withMemory(counts[...], [], &planes, fill)
        return planes
    }

    private static func withMemory(
        _ counts: ArraySlice<Int>, _ buffers: [UnsafeMutableBufferPointer<UInt8>], _ planes: inout [[UInt8]],
        _ fill: ([UnsafeMutableBufferPointer<UInt8>]) throws(Declined) -> Void
    ) throws(Declined) {
        guard let count = counts.first else { return try fill(buffers) }
        var refusal: Declined?
        let plane = [UInt8](unsafeUninitializedCapacity: count) { memory, written in
            do throws(Declined) {
                try withMemory(counts.dropFirst(), buffers + [memory], &planes, fill)
                written = count
            } catch {
                refusal = error
            }
        }
        if let refusal { throw refusal }
        planes.insert(plane, at: 0)
    }
}
