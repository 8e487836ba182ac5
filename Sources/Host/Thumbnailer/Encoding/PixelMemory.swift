internal import Media

/// The bytes of a bitmap made in this process: allocated once, freed with the last bitmap over them.
final class PixelMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) { bytes = .allocate(byteCount: byteCount, alignment: 16) }

    deinit { bytes.deallocate() }
}

extension Bitmap {
    /// A bitmap without gaps between its rows; `fill` writes all its bytes.
    static func made(
        width: Int, height: Int, channels: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) -> Bitmap {
        let memory = PixelMemory(byteCount: width * height * channels)
        fill(memory.bytes)
        return Bitmap(
            over: UnsafeRawBufferPointer(memory.bytes), owner: memory, width: width, height: height,
            bytesPerRow: width * channels, channels: channels)
    }

    /// Lends each row's pixels without its padding, from top to bottom.
    func forEachRow(_ body: (_ row: Int, _ pixels: UnsafeRawBufferPointer) -> Void) {
        withUnsafeBytes { bytes in
            for row in 0..<height {
                // A bitmap's memory contains `width * channels` bytes from the start of each row.
                let start = row * bytesPerRow
                body(row, UnsafeRawBufferPointer(rebasing: bytes[start..<start + width * channels]))
            }
        }
    }
}
