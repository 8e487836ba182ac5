internal import CVips
internal import Media

extension Drawing {
    /// What a truncated file has left must show something.
    ///
    /// A file that breaks off is shown as far as it goes, as browsers do: half a photograph tells a person more than an
    /// error does. Where it breaks off at its start, decoders fill all the rest with one flat colour (after a first block
    /// of nonsense), and a flat gray thumbnail would pass for a picture: such a file is `corrupt`.
    ///
    /// - Parameter picture: in memory, not turned yet, 8 bits a band.
    func requireContent(of picture: VipsPicture) throws(Failure) {
        let bandCount = picture.bandCount
        let pixelCount = picture.size.pixelCount
        let pixels = UnsafeRawBufferPointer(start: vips_image_get_data(picture.pointer), count: pixelCount * bandCount)
        // What was filled in is at the end.
        let filling = pixels.suffix(bandCount)
        let filledCount = stride(from: 0, to: pixels.count, by: bandCount).count {
            zip(pixels[$0..<$0 + bandCount], filling).allSatisfy { abs(Int($0) - Int($1)) <= Self.flatness }
        }
        guard Double(filledCount) > Self.filledShare * Double(pixelCount) else { return }
        throw Failure(.corrupt, detail: "broken off at its start; \(VipsLog.lastWarning)")
    }

    /// How far a filled pixel is from its like after resizing and conversion, in levels of 255.
    private static let flatness = 2

    /// Beyond this share of filling there is nothing to see.
    private static let filledShare = 0.97
}
