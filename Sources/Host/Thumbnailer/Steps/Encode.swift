internal import Linux
internal import Media
internal import RenderHost
internal import ThumbnailCache

// A part of the step `render`: from pixels to renditions.
extension ThumbnailRun {
    /// A group's renditions as files, and the placeholder.
    struct EncodedGroup {
        let images: [Encoder.Encoded]
        let placeholder: String?
    }

    /// Encodes the pictures of the early rendering while its child still ends; `nil` if there are none before its end.
    mutating func encodeAhead(_ group: [Int]) -> EncodedGroup? {
        guard let early, early.group == group, let drawing = early.drawn(for: sniffed!.mediaType) else { return nil }
        // A picture that cannot be encoded fails again after the child's end, and is reported then.
        return try? encode(drawing.bitmaps, of: group) { drawing.placeholder.wait() }
    }

    /// Turns a group's pixels into renditions, and the miniature after them into the placeholder.
    ///
    /// - Parameter ahead: the same, if it has already been encoded.
    mutating func encode(_ group: [Int], _ rendered: RenderedSource, ahead: EncodedGroup?) throws(Failure) {
        let encoded =
            if let ahead { ahead } else {
                try encode(rendered.bitmaps, of: group) { rendered.bitmaps.last.map(ThumbHash.text) }
            }
        placeholder = encoded.placeholder
        for (index, image) in zip(group, encoded.images) { add(image, at: index, poster: rendered.facts.poster) }
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

    private mutating func add(_ image: Encoder.Encoded, at index: Int, poster: Facts.Poster?) {
        let rendition = Rendition(
            bytes: image.bytes, format: image.format, width: image.size.width, height: image.size.height,
            placeholder: placeholder, poster: poster, build: build)
        made.append((index, rendition))
    }

    /// Draws the file-type icon for recipes that allow it; the others fail.
    mutating func makeIcons(_ group: [Int], insteadOf failure: Failure) {
        let sniffed = sniffed!
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
}

extension Box {
    /// An icon fills its box; an open side follows from the other in the ratio 4:3, the shape of a sheet's
    /// surroundings.
    var iconSize: PixelSize {
        switch (width, height) {
        case (let width?, let height?): PixelSize(width: width, height: height)
        case (let width?, nil): PixelSize(width: width, height: max(1, width * 3 / 4))
        case (nil, let height): PixelSize(width: max(1, height! * 4 / 3), height: height!)
        }
    }
}
