import CTurboJPEG
import Media
import Thumbnailer

/// A picture of waves and noise, so that a file of it has all frequencies and is hard to compress.
struct MadePicture {
    let width: Int
    let height: Int

    /// Sequential or progressive, of three components, with halved chroma.
    func jpeg(isProgressive: Bool = false) -> [UInt8] {
        let handle = tjInitCompress()!
        defer { tjDestroy(handle) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var byteCount: UInt = 0
        defer { tjFree(buffer) }
        let status = tjCompress2(
            handle, samples(channels: 3), Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &buffer, &byteCount,
            Int32(TJSAMP_420.rawValue), 95, isProgressive ? TJFLAG_PROGRESSIVE : 0)
        precondition(status == 0)
        return Array(UnsafeBufferPointer(start: buffer, count: Int(byteCount)))
    }

    func png(hasAlpha: Bool) -> [UInt8] {
        let channels = hasAlpha ? 4 : 3
        let bitmap = Bitmap(width: width, height: height, channels: channels, bytes: samples(channels: channels))
        return try! Encoder.encode(bitmap, as: .png, quality: 80)
    }

    private func samples(channels: Int) -> [UInt8] {
        // The upper bits of a linear congruential generator (Numerical Recipes, 7.1).
        var state: UInt32 = 7
        return (0..<width * height * channels).map { index in
            state = state &* 1_664_525 &+ 1_013_904_223
            let x = index / channels % width
            return UInt8(truncatingIfNeeded: x * 3 / 4 + Int(state >> 26))
        }
    }
}
