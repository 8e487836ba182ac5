internal import CFFmpeg

/// A picture's colours as the facts state them.
struct ColourDescription {
    let hasAlpha: Bool?
    let spaceName: String?
    let transfer: FrameColour.Transfer

    init(_ format: PixelFormat, _ space: AVColorSpace, _ transfer: AVColorTransferCharacteristic, hasHiddenAlpha: Bool)
    {
        hasAlpha = format.isKnown ? format.hasAlpha || hasHiddenAlpha : hasHiddenAlpha ? true : nil
        spaceName =
            !format.isKnown || !(format.isRGB || format.isGray)
            ? FrameColour.Matrix(space)?.name : format.isRGB ? "srgb" : "gray"
        self.transfer = FrameColour.Transfer(transfer)
    }

    /// A still picture in sRGB.
    init(hasAlpha: Bool, isGray: Bool) {
        self.hasAlpha = hasAlpha
        spaceName = isGray ? "gray" : "srgb"
        transfer = .standard
    }

    init(of frame: Frame) {
        let values = frame.pointer.pointee
        self.init(frame.format, values.colorspace, values.color_trc, hasHiddenAlpha: false)
    }
}
