internal import CVips
internal import Media
internal import Rendering
internal import Wire

/// Renders the pixels of one file, and writes them into a job's targets.
struct PictureRendering {
    private let job: RenderJob
    private let format: ImageFormat
    private let header: PictureHeader
    private let damage: LoadOptions.Damage

    /// Renders an intact file; a truncated file fails as `corrupt`.
    init(of job: RenderJob, format: ImageFormat, header: PictureHeader) {
        self.init(job, format, header, .failsWhereTruncated)
    }

    /// Renders the remaining part of a truncated file.
    init(damaged job: RenderJob, format: ImageFormat, header: PictureHeader) {
        self.init(job, format, header, .isShown)
    }

    private init(_ job: RenderJob, _ format: ImageFormat, _ header: PictureHeader, _ damage: LoadOptions.Damage) {
        self.job = job
        self.format = format
        self.header = header
        self.damage = damage
    }

    /// Fills every target by its layout; returns their sizes, in order.
    func write(_ layouts: [Layout]) throws(Failure) -> [RenderedPixels] {
        let largest = layouts.max { $0.scaled.pixelCount < $1.scaled.pixelCount }!
        // A crop keeps the long side of a strip out of memory, but serves only one layout. A damaged file is judged by
        // the whole picture.
        let isShared = (layouts.count > 1 || damage == .isShown) && largest.scaled.pixelCount <= Self.largestShared
        let shared = isShared ? try picture(scaled: largest.scaled, cut: largest.whole) : nil
        var all: [RenderedPixels] = []
        for (index, layout) in layouts.enumerated() {
            let picture =
                if let shared { try part(of: shared, by: layout) } else {
                    try self.picture(scaled: layout.scaled, cut: layout.crop)
                }
            all.append(write(picture, toTarget: index))
        }
        return all
    }

    /// The maximum number of pixels kept for smaller renditions: 128 MiB of RGBA.
    private static let largestShared = 32 << 20

    /// The picture in memory, scaled and cropped to `cut`; both as shown.
    private func picture(scaled: PixelSize, cut: PixelArea) throws(Failure) -> VipsPicture {
        let stored = header.orientation.turned(scaled)
        let loaded = try load(for: stored).unpacked()
        let kept = try small(loaded, stored, keeping: header.orientation.stored(cut, in: stored))
        let coloured = try ColourConversion.converted(kept, by: header).inMemory()
        if damage == .isShown { try requireContent(of: coloured) }
        return try header.orientation.applied(to: coloured).inMemory()
    }

    private func small(
        _ loaded: VipsPicture, _ size: PixelSize, keeping area: PixelArea
    ) throws(Failure) -> VipsPicture {
        guard let wide = WideSamples(of: loaded, in: format) else {
            return try resized(loaded, to: size, keeping: area)
        }
        // The range comes from the whole picture, so that all its renditions agree.
        let whole = try wide.fitted(VipsResizing.resized(wide.bounded(loaded), to: size), noting: job)
        return try VipsResizing.cut(whole, to: area)
    }

    private func load(for stored: PixelSize) throws(Failure) -> VipsPicture {
        var options = LoadOptions()
        options.damage = damage
        options.pageIndex = job.request.pageIndex > 0 ? job.request.pageIndex : nil
        let shrinking = ShrinkOnLoad(format: format, header: header, wanted: stored)
        options.shrink = shrinking.shrink
        let loaded = try format.open(job.source, options)
        job.note(
            .shrink, "\(header.storedSize) loaded as \(loaded.size) (\(options.shrink.words)), then scaled to \(stored)"
        )
        if options.shrink != .thumbnail || shrinking.accepts(loaded.size) { return loaded }
        options.shrink = .none
        job.note(.shrink, "the embedded thumbnail is not suitable: the whole picture is decoded")
        return try format.open(job.source, options)
    }

    /// Makes a smaller rendition from the shared picture.
    private func part(of picture: VipsPicture, by layout: Layout) throws(Failure) -> VipsPicture {
        try resized(picture, to: layout.scaled, keeping: layout.crop).inMemory()
    }

    /// Resizes with this project's resampler if possible, unless the task asks for libvips only.
    private func resized(
        _ picture: VipsPicture, to size: PixelSize, keeping area: PixelArea
    ) throws(Failure) -> VipsPicture {
        if !job.request.skipsShortcuts, picture.size != size,
            let part = try PlaneResizing.resized(picture, to: size, keeping: area)
        {
            return part
        }
        return try VipsResizing.cut(VipsResizing.resized(picture, to: size), to: area)
    }

    /// - Parameter picture: in memory, 8 bits, 3 or 4 bands.
    private func write(_ picture: VipsPicture, toTarget index: Int) -> RenderedPixels {
        let size = picture.size
        let pixels = RenderedPixels(width: size.width, height: size.height, channels: picture.bandCount)
        job.write(pixels, toTarget: index) { buffer in
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(start: vips_image_get_data(picture.pointer), count: buffer.count))
        }
        return pixels
    }
}

extension Layout {
    /// The part of the scaled picture that is kept.
    var crop: PixelArea { PixelArea(x: cropX, y: cropY, size: cropped) }

    /// The whole scaled picture.
    var whole: PixelArea { PixelArea(x: 0, y: 0, size: scaled) }
}
