internal import CVips
internal import Media

extension PictureRendering {
    /// Refuses a truncated file of which too little is left.
    ///
    /// The intact part of a truncated file is shown, as browsers do: half a photograph tells a person more than an
    /// error. If the file is truncated near its start, decoders fill the rest with one flat colour, after a first block
    /// of garbage. A flat gray thumbnail would pass for a picture, so such a file is `corrupt`.
    ///
    /// - Parameter picture: in memory, before the orientation is applied, with 8 bits per band.
    func requireContent(of picture: VipsPicture) throws(Failure) {
        let bandCount = picture.bandCount
        let pixelCount = picture.size.pixelCount
        let pixels = UnsafeRawBufferPointer(start: vips_image_get_data(picture.pointer), count: pixelCount * bandCount)
        // The filling is at the end.
        let filling = pixels.suffix(bandCount)
        let filledCount = stride(from: 0, to: pixels.count, by: bandCount).count {
            zip(pixels[$0..<$0 + bandCount], filling).allSatisfy { abs(Int($0) - Int($1)) <= Self.flatness }
        }
        guard Double(filledCount) > Self.filledShare * Double(pixelCount) else { return }
        throw Failure(.corrupt, detail: "truncated at its start; \(VipsLog.lastWarning)")
    }

    /// How far filled pixels may differ after resizing and conversion, in levels of 255.
    private static let flatness = 2

    /// The share of filled pixels above which the file is refused.
    private static let filledShare = 0.97
}
