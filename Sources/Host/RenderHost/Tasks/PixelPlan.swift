internal import Linux
internal import Media
internal import Wire

/// The memory for a task's pixels, with the place of each picture.
struct PixelPlan {
    /// One per picture, in order.
    let targets: [RenderTarget]
    /// The room for text, in bytes: the whole memory, or none of it.
    let textByteCount: Int
    /// The size of the memory file, in bytes.
    let byteCount: Int

    /// Gives every picture a place that holds its largest possible rendition.
    ///
    /// - Throws: `usage` if there are too many pictures, or if they are too large.
    init(for pictures: [RenderTask.Picture]) throws(Failure) {
        guard pictures.count <= Wire.longestList else {
            throw Failure(.usage, message: "At most \(Wire.longestList) renditions can be made at once.")
        }
        var targets: [RenderTarget] = []
        var offset = 0
        for picture in pictures {
            let byteCount = picture.box.bounds.pixelCount * 4
            targets.append(
                RenderTarget(
                    box: picture.box, fit: picture.fit, gravity: picture.gravity, enlarge: picture.enlarge,
                    offset: offset, byteCount: byteCount))
            // Each rendition starts at a page boundary, so that no two share a page of the sparse file.
            offset = (offset + byteCount + 4095) & ~4095
        }
        guard offset <= Self.largestByteCount else {
            throw Failure(
                .usage, message: "These renditions are too large to be made at once. Ask for fewer or smaller ones.")
        }
        self.targets = targets
        textByteCount = 0
        byteCount = max(offset, 4096)
    }

    /// Gives the whole memory to text.
    init(forTextOf byteCount: Int) {
        (targets, textByteCount, self.byteCount) = ([], byteCount, byteCount)
    }

    /// The limit for the pixels of one task together: twice the largest rendition. They are shared memory, which no
    /// limit of a child counts.
    private static let largestByteCount = 1 << 30

    /// The text in `file`, validated as a message from the child.
    ///
    /// - Parameters:
    ///   - part: the part whose text was requested.
    ///   - isSeries: whether texts of further pages may be included.
    func text(
        _ byteCount: Int, of part: TextPart, isSeries: Bool, in file: Descriptor
    ) throws(Failure) -> (text: SourceText, further: [PageText]) {
        guard byteCount <= textByteCount else { throw Failure(.crashed, detail: "a text larger than its buffer") }
        let mapping: Mapping
        do throws(SystemError) {
            mapping = try Mapping(of: file.number, byteCount: self.byteCount, writable: false)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        // Nothing changes a copy while it is parsed.
        let bytes = withExtendedLifetime(mapping) { Array($0.bytes[..<byteCount]) }
        do throws(WireError) {
            var further: [PageText] = []
            let text: SourceText
            switch part {
            case .page where isSeries:
                further = try PageSeries(parsing: bytes).pages
                text = .page(further.removeFirst())
            case .page: text = .page(try PageText(parsing: bytes))
            case .document: text = .document(try DocumentText(parsing: bytes))
            }
            if text.part == part { return (text, further) }
        } catch {
            throw Failure(.crashed, detail: "the renderer's text is malformed: \(error.what)")
        }
        throw Failure(.crashed, detail: "the text of another page")
    }

    /// The pixels in `file` as pictures.
    ///
    /// Every number is checked against the box and the memory: the child may be compromised.
    func bitmaps(_ pixels: [RenderedPixels], in file: Descriptor) throws(Failure) -> [Bitmap] {
        guard pixels.count == targets.count else {
            throw Failure(.crashed, detail: "\(pixels.count) renditions for \(targets.count) targets")
        }
        if pixels.isEmpty { return [] }
        let mapping: Mapping
        do throws(SystemError) {
            mapping = try Mapping(of: file.number, byteCount: byteCount, writable: false)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        var bitmaps: [Bitmap] = []
        for (pixels, target) in zip(pixels, targets) {
            let bounds = target.box.bounds
            guard pixels.width <= bounds.width, pixels.height <= bounds.height, pixels.byteCount <= target.byteCount
            else { throw Failure(.crashed, detail: "a rendition larger than its box") }
            let rows = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(mapping.bytes)[target.offset..<target.offset + pixels.byteCount])
            bitmaps.append(
                Bitmap(
                    over: rows, owner: mapping, width: pixels.width, height: pixels.height,
                    bytesPerRow: pixels.width * pixels.channels, channels: pixels.channels))
        }
        return bitmaps
    }
}
