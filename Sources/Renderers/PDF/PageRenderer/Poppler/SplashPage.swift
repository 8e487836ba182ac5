internal import CPopplerCore
internal import Media

/// A page that Splash, Poppler's own rasteriser, draws from a document.
struct SplashPage {
    private let file: UpdatedFile
    private let index: Int

    init(of file: UpdatedFile, at index: Int) {
        self.file = file
        self.index = index
    }

    /// Splash needs five bytes per pixel in addition to the target, and aborts the process if memory runs out.
    private static let maximumPixelCount = 16 << 20

    /// Draws a part of the page on white; `false` if the document cannot be opened, the part is too large, or its
    /// offset exceeds 32 bits.
    ///
    /// - Parameters:
    ///   - area: the part, in pixels of the scaled page.
    ///   - size: the page's size as shown.
    ///   - scaled: the whole page in pixels.
    ///   - pixels: receives four bytes per pixel in the order blue, green, red, unused.
    func draw(
        _ area: PixelArea, of size: PageSize, scaledTo scaled: PixelSize, to pixels: UnsafeMutablePointer<UInt8>,
        bytesPerRow: Int
    ) -> Bool {
        guard area.size.pixelCount <= Self.maximumPixelCount, let x = Int32(exactly: area.x),
            let y = Int32(exactly: area.y)
        else { return false }
        let pointsPerInch = 72.0
        var core = file.core
        return poppler_core_draw(
            &core, Int32(index),
            Double(scaled.width) / size.width * pointsPerInch, Double(scaled.height) / size.height * pointsPerInch,
            x, y, Int32(area.size.width), Int32(area.size.height), pixels, Int32(bytesPerRow))
            == 0
    }
}
