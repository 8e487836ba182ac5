internal import CVips
internal import Media

extension Drawing {
    /// What a truncated file has left must show something.
    ///
    /// A file that breaks off is shown as far as it goes, as browsers do: half a photograph tells a person more than an
    /// error does. Where it breaks off before the first row, decoders answer with one flat colour, and a flat gray
    /// thumbnail would pass for a picture; that is `corrupt`.
    ///
    /// - Parameter picture: in memory, 8 bits a band.
    func requireContent(of picture: VipsPicture) throws(Failure) {
        let count = picture.size.pixelCount * picture.bandCount
        let pixels = UnsafeRawBufferPointer(start: vips_image_get_data(picture.pointer), count: count)
        let first = pixels.prefix(picture.bandCount)
        let isFlat = stride(from: 0, to: count, by: picture.bandCount).allSatisfy {
            pixels[$0..<$0 + picture.bandCount].elementsEqual(first)
        }
        if isFlat { throw Failure(.corrupt, detail: "truncated before the first row; \(VipsLog.lastWarning)") }
    }
}
