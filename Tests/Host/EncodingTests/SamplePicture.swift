import Media

/// Pictures by formula: every value is whole-number arithmetic, so that other languages make the same ones.
enum SamplePicture: String, CaseIterable {
    /// Red to the right, green downwards, blue in fine steps.
    case gradient
    /// Squares and products of the coordinates: all frequencies.
    case squares
    case grey
    /// A gradient that is transparent in the left upper corner.
    case fade
    /// An opaque disc on nothing.
    case disc
    /// Red on the left, blue on the right of a slanted edge: colours as strong as they come.
    case halves
    /// Green alone: the far end of red − green.
    case green
    /// Smooth in every channel: what lossy formats keep well.
    case smooth

    /// RGBA of this picture, with rows `padding` bytes apart.
    func bitmap(_ width: Int, _ height: Int, padding: Int = 0) -> Bitmap {
        let rowByteCount = width * 4 + padding
        var bytes = [UInt8](repeating: 0xEE, count: rowByteCount * height)
        for y in 0..<height {
            for x in 0..<width {
                for (channel, value) in pixel(x, y, width, height).enumerated() {
                    bytes[y * rowByteCount + x * 4 + channel] = UInt8(value)
                }
            }
        }
        return Bitmap.over(bytes, width: width, height: height, bytesPerRow: rowByteCount, channels: 4)
    }

    private func pixel(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [Int] {
        let right = 255 * x / max(width - 1, 1)
        let down = 255 * y / max(height - 1, 1)
        switch self {
        case .gradient: return [right, down, (x * 7 + y * 13) % 256, 255]
        case .squares: return [(x * x + 3 * y) % 256, (x * y) % 256, (5 * x + y * y) % 256, 255]
        case .grey: return [(x * 3 + y * 5) % 256, (x * 3 + y * 5) % 256, (x * 3 + y * 5) % 256, 255]
        case .fade: return [right, down, 128, 255 * (x + y) / max(width + height - 2, 1)]
        case .disc:
            let across = 2 * x + 1 - width
            let along = 2 * y + 1 - height
            let side = min(width, height)
            return across * across + along * along < side * side ? [200, 60, 20, 255] : [0, 0, 0, 0]
        case .halves: return 3 * x < width + y ? [250, 10, 30, 255] : [10, 20, 240, 255]
        case .green: return [0, 255, 0, 255]
        case .smooth: return [right, down, (right + down) / 2, 255]
        }
    }
}

extension Bitmap {
    private final class Bytes {
        let memory: UnsafeMutableRawBufferPointer

        init(_ array: [UInt8]) {
            memory = .allocate(byteCount: array.count, alignment: 16)
            memory.copyBytes(from: array)
        }

        deinit { memory.deallocate() }
    }

    /// A bitmap whose rows may lie apart, as in a renderer's memory.
    static func over(_ bytes: [UInt8], width: Int, height: Int, bytesPerRow: Int, channels: Int) -> Bitmap {
        let owner = Bytes(bytes)
        return Bitmap(
            over: UnsafeRawBufferPointer(owner.memory), owner: owner, width: width, height: height,
            bytesPerRow: bytesPerRow, channels: channels)
    }

    /// The pixels without the padding of rows.
    var pixels: [UInt8] {
        withUnsafeBytes { bytes in
            (0..<height).flatMap { row in Array(bytes[row * bytesPerRow..<row * bytesPerRow + width * channels]) }
        }
    }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        withUnsafeBytes { bytes in (0..<channels).map { bytes[y * bytesPerRow + x * channels + $0] } }
    }

    var address: UnsafeRawPointer? { withUnsafeBytes { $0.baseAddress } }

    /// RGB without looking at alpha.
    var withoutAlpha: [UInt8] {
        pixels.enumerated().filter { channels == 3 || $0.offset % 4 != 3 }.map(\.element)
    }
}
