internal import CSplash
internal import Media

/// A page that Splash draws, of a document in memory.
struct SplashPage {
    private let file: UpdatedFile
    private let index: Int

    /// `nil` where the file is longer than Splash's interface counts: 2 GB.
    init?(of file: UpdatedFile, at index: Int) {
        guard Int32(exactly: file.bytes.count) != nil else { return nil }
        self.file = file
        self.index = index
    }

    /// Draws a part of the page on white; `false` where it could not.
    ///
    /// - Parameters:
    ///   - size: the page's as shown.
    ///   - scaled: the whole page in pixels.
    ///   - pixels: four bytes each in the order blue, green, red, nothing.
    func draw(
        _ area: PixelArea, of size: PageSize, scaledTo scaled: PixelSize, to pixels: UnsafeMutablePointer<UInt8>,
        bytesPerRow: Int
    ) -> Bool {
        let pointsPerInch = 72.0
        return csplash_draw(
            file.bytes.baseAddress, Int32(file.bytes.count), Int32(index),
            Double(scaled.width) / size.width * pointsPerInch, Double(scaled.height) / size.height * pointsPerInch,
            Int32(area.x), Int32(area.y), Int32(area.size.width), Int32(area.size.height), pixels, Int32(bytesPerRow))
            == 0
    }
}
