public import Linux
public import Media

extension Bitmap {
    /// The picture in grey, in the format that the word recogniser takes: a binary PGM of 8 bits (Netpbm's pgm(5)) in a
    /// memory file.
    ///
    /// - Throws: `unavailable` if there is no memory.
    public func greyFile() throws(Failure) -> Descriptor {
        do throws(SystemError) {
            let bytes = greyMap
            let file = try MemoryFile.create(name: "page", byteCount: bytes.count)
            try file.write(bytes)
            return file
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
    }

    private var greyMap: [UInt8] {
        let header = Array("P5 \(width) \(height) 255\n".utf8)
        let count = header.count + width * height
        return [UInt8](unsafeUninitializedCapacity: count) { file, initializedCount in
            _ = file.initialize(from: header)
            var place = header.count
            withUnsafeBytes { pixels in
                for row in 0..<height {
                    for column in 0..<width {
                        let first = row * bytesPerRow + column * channels
                        // Rec. 601 weights in 256ths.
                        let grey = 77 * Int(pixels[first]) + 150 * Int(pixels[first + 1]) + 29 * Int(pixels[first + 2])
                        file.initializeElement(at: place, to: UInt8(grey >> 8))
                        place += 1
                    }
                }
            }
            initializedCount = count
        }
    }
}
