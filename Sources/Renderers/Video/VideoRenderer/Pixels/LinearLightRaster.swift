internal import CFFmpeg
internal import Media

/// Converts frames of floating-point linear light (OpenEXR: 1 is white, primaries of BT.709) to sRGB.
///
/// Light over 1 becomes white; negative numbers and NaN become black. Premultiplied colours are divided by alpha before
/// the curve applies.
struct LinearLightRaster {
    private let components: [Samples]
    private let frame: Frame

    /// Finds the samples of a frame; `nil` if they are not floating-point numbers.
    init?(_ frame: Frame) {
        let format = AVPixelFormat(frame.pointer.pointee.format)
        guard frame.format.isFloat, let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return nil }
        let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3]
        let isBigEndian = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
        self.components = components.prefix(Int(descriptor.nb_components)).compactMap {
            Samples($0, of: frame, isBigEndian: isBigEndian)
        }
        self.frame = frame
        guard self.components.count == Int(descriptor.nb_components), !self.components.isEmpty else { return nil }
    }

    /// The pixels in the frame's own size, with 4 channels if it has alpha.
    func raster() -> Raster {
        let hasAlpha = components.count % 2 == 0
        let channels = hasAlpha ? 4 : 3
        // Only luminance, or red, green and blue.
        let colours = components.count < 3 ? [0, 0, 0] : [0, 1, 2]
        let count = frame.size.pixelCount * channels
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            var place = 0
            for y in 0..<frame.size.height {
                for x in 0..<frame.size.width {
                    var alpha: Float = 1
                    if hasAlpha {
                        alpha = Self.bounded(components[components.count - 1].value(x, y))
                        bytes[place + 3] = UInt8((alpha * 255).rounded())
                    }
                    for channel in 0..<3 {
                        let light = components[colours[channel]].value(x, y)
                        let own = Self.bounded(alpha > 0 ? light / alpha : 0)
                        bytes[place + channel] = LightScale.signals[LightScale.index(own)]
                    }
                    place += channels
                }
            }
            filled = count
        }
        return Raster(size: frame.size, channels: channels, bytes: bytes)
    }

    /// Clamps to 0...1; NaN fails the comparison and becomes 0.
    private static func bounded(_ value: Float) -> Float { value > 0 ? min(value, 1) : 0 }
}

extension LinearLightRaster {
    /// The samples of one component. They must not be read after the frame is freed.
    private struct Samples {
        private let start: UnsafeRawPointer
        private let rowBytes: Int
        private let step: Int
        private let isHalf: Bool
        private let isBigEndian: Bool

        init?(_ component: AVComponentDescriptor, of frame: Frame, isBigEndian: Bool) {
            let planes = FramePlanes(of: frame)
            let plane = Int(component.plane)
            guard [16, 32].contains(component.depth), component.shift == 0, planes.rows.indices.contains(plane),
                let start = planes.rows[plane]
            else { return nil }
            self.start = UnsafeRawPointer(start) + Int(component.offset)
            rowBytes = Int(planes.rowBytes[plane])
            step = Int(component.step)
            isHalf = component.depth == 16
            self.isBigEndian = isBigEndian
        }

        func value(_ x: Int, _ y: Int) -> Float {
            let place = start + y * rowBytes + x * step
            if isHalf {
                let bits = place.loadUnaligned(as: UInt16.self)
                return Float(Float16(bitPattern: isBigEndian ? bits.byteSwapped : bits))
            }
            let bits = place.loadUnaligned(as: UInt32.self)
            return Float(bitPattern: isBigEndian ? bits.byteSwapped : bits)
        }
    }
}
