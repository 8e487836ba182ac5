/// Allocates the memory of several planes, to be filled at once.
package enum PlaneMemory {
    /// The samples of planes that `fill` has written.
    ///
    /// - Parameters:
    ///   - counts: the number of samples of each plane.
    ///   - fill: writes all samples, or throws.
    package static func filled<Refusal: Error>(
        _ counts: [Int], by fill: ([UnsafeMutableBufferPointer<UInt8>]) throws(Refusal) -> Void
    ) throws(Refusal) -> [[UInt8]] {
        var planes: [[UInt8]] = []
        try withMemory(counts[...], [], &planes, fill)
        return planes
    }

    private static func withMemory<Refusal: Error>(
        _ counts: ArraySlice<Int>, _ buffers: [UnsafeMutableBufferPointer<UInt8>], _ planes: inout [[UInt8]],
        _ fill: ([UnsafeMutableBufferPointer<UInt8>]) throws(Refusal) -> Void
    ) throws(Refusal) {
        guard let count = counts.first else { return try fill(buffers) }
        var refusal: Refusal?
        let plane = [UInt8](unsafeUninitializedCapacity: count) { memory, written in
            do throws(Refusal) {
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
