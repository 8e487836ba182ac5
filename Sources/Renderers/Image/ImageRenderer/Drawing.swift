internal import CVips
internal import Media
internal import Rendering
internal import Wire

/// The pixels of one file, drawn into a job's targets.
struct Drawing {
    private let job: RenderJob
    private let format: ImageFormat
    private let header: PictureHeader
    private let damage: LoadOptions.Damage

    /// Draws a sound file; a truncated one fails as `corrupt`.
    init(of job: RenderJob, format: ImageFormat, header: PictureHeader) {
        self.init(job, format, header, .failsWhereTruncated)
    }

    /// Draws what a truncated file still has, as browsers do.
    init(damaged job: RenderJob, format: ImageFormat, header: PictureHeader) {
        self.init(job, format, header, .isShown)
    }

    private init(_ job: RenderJob, _ format: ImageFormat, _ header: PictureHeader, _ damage: LoadOptions.Damage) {
        self.job = job
        self.format = format
        self.header = header
        self.damage = damage
    }

    /// Fills every target by its layout; returns what was written, in their order.
    func write(_ layouts: [Layout]) throws(Failure) -> [RenderedPixels] {
        let largest = layouts.max { $0.scaled.pixelCount < $1.scaled.pixelCount }!
        // A cut keeps a strip's long side out of memory, but serves its own layout alone. What a damaged file still has is
        // judged by the whole.
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

    /// The pixels of a whole picture that are kept for smaller renditions, at most: 128 MiB of RGBA.
    private static let largestShared = 32 << 20

    /// The picture from the file: scaled to a size, of which `cut` is kept; both as shown. In memory.
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
        // By the range of the whole picture, so that all its renditions agree.
        let whole = try wide.fitted(Resizing.resized(wide.tamed(loaded), to: size), noting: job)
        return try Resizing.cut(whole, to: area)
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
        job.note(.shrink, "the embedded thumbnail does not serve: the whole picture is decoded")
        return try format.open(job.source, options)
    }

    /// A smaller rendition out of the picture that is there.
    private func part(of picture: VipsPicture, by layout: Layout) throws(Failure) -> VipsPicture {
        try resized(picture, to: layout.scaled, keeping: layout.crop).inMemory()
    }

    /// By our own resampler where it can, unless libvips is to do it alone.
    private func resized(
        _ picture: VipsPicture, to size: PixelSize, keeping area: PixelArea
    ) throws(Failure) -> VipsPicture {
        if !job.request.skipsShortcuts, picture.size != size,
            let part = try OwnResizing.resized(picture, to: size, keeping: area)
        {
            return part
        }
        return try Resizing.cut(Resizing.resized(picture, to: size), to: area)
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
    /// What is kept of the scaled picture.
    var crop: PixelArea { PixelArea(x: cropX, y: cropY, size: cropped) }

    /// All of the scaled picture.
    var whole: PixelArea { PixelArea(x: 0, y: 0, size: scaled) }
}
