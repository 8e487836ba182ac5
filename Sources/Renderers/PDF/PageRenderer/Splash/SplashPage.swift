internal import CPopplerCore
internal import Media

/// A page that Splash draws, of a document in memory.
struct SplashPage {
    private let file: UpdatedFile
    private let index: Int

    init(of file: UpdatedFile, at index: Int) {
        self.file = file
        self.index = index
    }

    /// Splash holds five bytes a pixel beside ours, and ends the process where memory runs out.
    private static let largestPixelCount = 16 << 20

    /// Draws a part of the page on white; `false` where it could not, or the part is too large or too far out for it.
    ///
    /// - Parameters:
    ///   - size: the page's as shown.
    ///   - scaled: the whole page in pixels.
    ///   - pixels: four bytes each in the order blue, green, red, nothing.
    func draw(
        _ area: PixelArea, of size: PageSize, scaledTo scaled: PixelSize, to pixels: UnsafeMutablePointer<UInt8>,
        bytesPerRow: Int
    ) -> Bool {
        guard area.size.pixelCount <= Self.largestPixelCount, let x = Int32(exactly: area.x),
            let y = Int32(exactly: area.y)
        else { return false }
        let pointsPerInch = 72.0
        return poppler_core_draw(
            file.bytes.baseAddress, Int64(file.bytes.count), Int32(index),
            Double(scaled.width) / size.width * pointsPerInch, Double(scaled.height) / size.height * pointsPerInch,
            x, y, Int32(area.size.width), Int32(area.size.height), pixels, Int32(bytesPerRow))
            == 0
    }
}
