internal import Encoding
internal import Linux
internal import Media
internal import RenderHost
internal import ThumbnailCache

// The steps from the pixels on: finish, encode, keep.
extension ThumbnailRun {
    /// A group's renditions as files, and the placeholder.
    struct EncodedGroup {
        let images: [Encoder.Encoded]
        let placeholder: String?
    }

    /// Encodes what the child of the early work has drawn, while it ends; `nil` where there is nothing to take before its end.
    mutating func encodeAhead(_ group: [Int], of sniffed: Facts, by early: EarlyWork?) -> EncodedGroup? {
        guard let early, early.group == group, let drawing = early.drawn(for: sniffed.mediaType) else { return nil }
        // What cannot be encoded fails once more at the end, and is told then.
        return try? encode(drawing.bitmaps, of: group) { drawing.placeholder.wait() }
    }

    /// Turns a group's pixels into renditions, and the miniature behind them into the placeholder.
    ///
    /// - Parameter ahead: what was encoded already.
    mutating func finish(_ group: [Int], _ rendered: RenderedSource, ahead: EncodedGroup?) throws(Failure) {
        let encoding =
            if let ahead { ahead } else {
                try encode(rendered.bitmaps, of: group) { rendered.bitmaps.last.map(ThumbHash.text) }
            }
        placeholder = encoding.placeholder
        for (index, image) in zip(group, encoding.images) { add(image, at: index, poster: rendered.facts.poster) }
    }

    private mutating func encode(
        _ bitmaps: [Bitmap], of group: [Int], placeholder: () -> String?
    ) throws(Failure) -> EncodedGroup {
        let start = Time.monotonic
        defer { timings.add("encode", Time.monotonic - start) }
        var images: [Encoder.Encoded] = []
        for (index, bitmap) in zip(group, bitmaps) {
            images.append(try Encoder.encode(bitmap, for: order.recipes[index]))
        }
        return EncodedGroup(images: images, placeholder: placeholder())
    }

    /// Draws the file-type icon for recipes that allow it; the others fail.
    mutating func makeIcons(_ group: [Int], of sniffed: Facts, instead failure: Failure) {
        facts = facts ?? sniffed
        let start = Time.monotonic
        defer { timings.add("icon", Time.monotonic - start) }
        for index in group {
            let recipe = order.recipes[index]
            do throws(Failure) {
                guard recipe.allowsIcon else { throw failure }
                let bounds = recipe.box.iconSize
                let icon = FileTypeIcon.draw(for: sniffed.mediaType, size: bounds, background: recipe.background)
                add(try Encoder.encode(icon, for: recipe), at: index, poster: nil)
            } catch {
                results[index] = .failure(error)
            }
        }
    }

    private mutating func add(_ image: Encoder.Encoded, at index: Int, poster: Facts.Poster?) {
        made.append(
            (
                index,
                ThumbnailCache.Rendition(
                    bytes: image.bytes, format: image.format, width: image.size.width, height: image.size.height,
                    placeholder: placeholder, poster: poster, build: build)
            ))
    }

    /// Keeps what was made. A cache that cannot be written is a warning: what was made is handed over all the same.
    mutating func keep() {
        let start = Time.monotonic
        defer { timings.add("store", Time.monotonic - start) }
        for (index, rendition) in made {
            results[index] = .success(stored(rendition, recipe: order.recipes[index]))
        }
        guard let cache = engine.cache, let key else { return }
        engine.warning { () throws(Failure) in
            for (index, result) in results.enumerated() {
                guard case .failure(let failure) = result else { continue }
                try cache.storeFailure(failure, build: build, for: key, recipe: order.recipes[index])
            }
            if let facts = facts?.ofTheSource(pageIndex: order.recipes.first?.pageIndex ?? 0) {
                let stored = StoredFacts(facts: facts, placeholder: placeholder, build: build)
                try cache.storeFacts(stored, for: key)
            }
        }
        rememberKey()
    }

    /// Lets the next call find the source's key without reading it; not that of a file that somebody is writing to, whose times may
    /// stay as they are.
    func rememberKey() {
        guard let cache = engine.cache, let key, source.file.writers(source.status) != .somebodyNow else { return }
        engine.warning { () throws(Failure) in
            try cache.statIndex.remember(key, for: source.status, readingBegan: source.opened)
        }
    }

    private func stored(_ rendition: ThumbnailCache.Rendition, recipe: Recipe) -> StoredRendition {
        var kept: StoredRendition?
        if let cache = engine.cache, let key {
            engine.warning { () throws(Failure) in kept = try cache.store(rendition, for: key, recipe: recipe) }
        }
        return kept ?? StoredRendition(rendition: rendition, path: nil)
    }
}

extension Facts {
    /// The facts without what belongs to one page or one moment that was asked for.
    func ofTheSource(pageIndex: Int) -> Facts {
        var facts = self
        facts.poster = nil
        if pageIndex > 0 {
            facts.pageWidth = nil
            facts.pageHeight = nil
            facts.isBlank = nil
        }
        return facts
    }

    /// Whether nothing was left out by `ofTheSource`.
    var isWhole: Bool { kind != .pdf || pageWidth != nil }
}

extension Box {
    /// An icon fills its box; an open side follows the other in the shape of a sheet's surroundings, 4:3.
    var iconSize: PixelSize {
        switch (width, height) {
        case (let width?, let height?): PixelSize(width: width, height: height)
        case (let width?, nil): PixelSize(width: width, height: max(1, width * 3 / 4))
        case (nil, let height): PixelSize(width: max(1, height! * 4 / 3), height: height!)
        }
    }
}
