internal import Media
internal import Rendering

/// The colour model of a picture's components.
enum ComponentColours {
    case gray
    /// Y, Cb and Cr (ITU-T T.871, clause 7).
    case luma
    case rgb

    /// Converts component planes of one size to interleaved RGB.
    ///
    /// - Returns: three bytes per pixel, in rows without gaps.
    func rgb(_ planes: [Plane]) -> [UInt8] {
        if self == .rgb { return Plane.interleaved(planes) }
        let count = planes[0].bytes.count
        return [UInt8](unsafeUninitializedCapacity: count * 3) { target, written in
            // Every plane has `count` bytes, the target three times as many.
            if self == .gray { Self.spread(planes[0].bytes, into: target) } else { Self.convert(planes, into: target) }
            written = count * 3
        }
    }

    /// Adds alpha to interleaved RGB.
    static func rgba(_ pixels: [UInt8], _ alpha: Plane) -> [UInt8] {
        let count = alpha.bytes.count
        return [UInt8](unsafeUninitializedCapacity: count * 4) { target, written in
            for index in 0..<count {
                target[index * 4] = pixels[index * 3]
                target[index * 4 + 1] = pixels[index * 3 + 1]
                target[index * 4 + 2] = pixels[index * 3 + 2]
                target[index * 4 + 3] = alpha.bytes[index]
            }
            written = count * 4
        }
    }

    private static func spread(_ bytes: [UInt8], into target: UnsafeMutableBufferPointer<UInt8>) {
        for index in 0..<bytes.count {
            target[index * 3] = bytes[index]
            target[index * 3 + 1] = bytes[index]
            target[index * 3 + 2] = bytes[index]
        }
    }

    private static func convert(_ planes: [Plane], into target: UnsafeMutableBufferPointer<UInt8>) {
        let count = planes[0].bytes.count
        planes[0].bytes.withUnsafeBufferPointer { luma in
            planes[1].bytes.withUnsafeBufferPointer { blue in
                planes[2].bytes.withUnsafeBufferPointer { red in
                    precondition(blue.count == count && red.count == count && target.count == count * 3)
                    for index in 0..<count {
                        // 16 fractional bits: 1.402, 0.344136, 0.714136, 1.772.
                        let y = Int32(luma[index]) &<< 16 &+ 0x8000
                        let cb = Int32(blue[index]) &- 128
                        let cr = Int32(red[index]) &- 128
                        target[index &* 3] = UInt8(clamping: (y &+ 91_881 &* cr) &>> 16)
                        target[index &* 3 &+ 1] = UInt8(clamping: (y &- 22_553 &* cb &- 46_802 &* cr) &>> 16)
                        target[index &* 3 &+ 2] = UInt8(clamping: (y &+ 116_130 &* cb) &>> 16)
                    }
                }
            }
        }
    }
}
