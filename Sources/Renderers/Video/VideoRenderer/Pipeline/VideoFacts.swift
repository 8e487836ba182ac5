internal import CFFmpeg
internal import Media

/// What the container's header, the codec's headers and the decoded frame say, as facts.
extension Facts {
    mutating func add(_ presentation: Presentation) {
        width = presentation.shownSize.width
        height = presentation.shownSize.height
        if presentation.orientation != .upright { orientation = presentation.orientation.rawValue }
    }

    mutating func add(_ colour: ColourDescription) {
        hasAlpha = colour.hasAlpha
        colorSpace = colour.spaceName
        hdr = colour.transfer.name
    }
}

/// What is known of a picture's colours; a file may leave all of it out.
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

    /// Of a still picture in sRGB.
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

extension Presentation {
    /// How a stream is shown, as the container says, and where it says nothing, as the codec does.
    ///
    /// - Parameter aperture: to which frames of `storedSize` have been cut.
    init(_ display: StreamDisplay, _ codec: CodecDisplay, storedSize: PixelSize, aperture: CleanAperture?) {
        let shape = display.pixelShape(in: aperture) ?? codec.pixelShape
        self.init(
            storedSize: storedSize, pixelShape: (Int(shape.num), Int(shape.den)),
            orientation: (display.matrix ?? codec.matrix)?.orientation ?? .upright, isLoneField: codec.isLoneField)
    }
}
