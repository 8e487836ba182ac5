package import Formats
package import Media

/// Reads the flattened picture of a Photoshop document (Adobe Photoshop File Formats Specification, 2019), which is
/// stored after the layers, plane by plane.
///
/// FFmpeg's decoder treats any fourth plane as alpha, although most are stored selections. It refuses documents with
/// more planes or more than 30,000 rows (PSB), and also reads the layers.
package struct PhotoshopFile {
    private let source: Source
    private let header: PhotoshopHeader
    /// The colours of an indexed picture: 256 reds, 256 greens, 256 blues.
    private let palette: [UInt8]
    private let planes: PhotoshopPlanes
    /// Whether the plane after the colours is alpha.
    private let hasTransparency: Bool

    /// Reads the header, and finds the picture.
    ///
    /// - Throws: `corrupt`, `tooLarge` over a limit, `unsupported` for other colour modes and compression methods.
    package init(_ source: Source, _ limits: Limits) throws(Failure) {
        self.source = source
        header = try PhotoshopHeader(try source.bytes(at: 0, count: PhotoshopHeader.byteCount))
        try Decoder.check(header.size, limits)
        if UInt64(header.size.pixelCount) * 4 > limits.memoryByteCount / 2 {
            throw .outOfMemory("\(header.size.pixelCount) pixels")
        }
        var sections = PhotoshopSections(source, from: Int64(PhotoshopHeader.byteCount))
        let colours = try sections.next()
        palette =
            header.mode == .indexed ? try source.bytes(at: colours.lowerBound, count: min(768, colours.count)) : []
        guard header.mode != .indexed || palette.count == 768 else { throw .brokenOff }
        _ = try sections.next()
        let layers = try sections.next(hasLongCount: header.isLarge)
        planes = try PhotoshopPlanes(source, at: layers.upperBound, header)
        hasTransparency =
            header.planeCount > header.mode.planeCount && sections.haveMergedAlpha(in: layers, isLarge: header.isLarge)
    }

    /// Reads the flattened picture.
    ///
    /// - Throws: `corrupt` if it is truncated.
    package func picture() throws(Failure) -> StillPicture {
        var canvas = PhotoshopCanvas(header, palette: palette, hasAlpha: hasTransparency)
        var failure: Failure?
        for plane in 0..<header.mode.planeCount + (hasTransparency ? 1 : 0) {
            do throws(Failure) {
                try planes.read(plane) { y, row in canvas.add(row, ofPlane: plane, at: y) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        let raster = canvas.raster()
        let header = header
        return StillPicture(
            source: raster, size: raster.size,
            colour: ColourDescription(hasAlpha: hasTransparency, isGray: header.mode.isGray),
            decoderNote: "Photoshop \(header.isLarge ? "large " : "")document: its flattened picture",
            colourNote: { "\(header.mode), \(header.depth) bits, as sRGB" })
    }
}
