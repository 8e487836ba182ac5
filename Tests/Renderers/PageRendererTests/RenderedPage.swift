import Formats
import Linux
import Media
import PageRenderer
import Rendering
import Wire

/// The facts and pictures that the renderer makes of a file, in this process.
struct RenderedPage {
    let facts: Facts
    let pictures: [Picture]

    struct Picture {
        let size: PixelSize
        let bytes: [UInt8]

        /// Red, green and blue of a pixel, by its position as fractions of width and height.
        func colour(_ x: Double, _ y: Double) -> [UInt8] {
            let column = min(size.width - 1, Int(x * Double(size.width)))
            let row = min(size.height - 1, Int(y * Double(size.height)))
            let start = (row * size.width + column) * 3
            return Array(bytes[start..<start + 3])
        }

        /// The colours at the middles of the four quarters: top left, top right, bottom left, bottom right.
        var quarters: [[UInt8]] { [colour(0.25, 0.25), colour(0.75, 0.25), colour(0.25, 0.75), colour(0.75, 0.75)] }
    }

    /// Renders a file's bytes.
    init(_ file: [UInt8], page pageIndex: Int = 0, targets: [RenderTarget] = []) throws {
        let source = try MemoryFile.create(name: "source", byteCount: max(file.count, 1))
        let copy = try Mapping(of: source.number, byteCount: max(file.count, 1), writable: true)
        copy.bytes.copyBytes(from: file)
        try self.init(source, page: pageIndex, targets: targets)
    }

    /// Renders an open file.
    init(_ file: Descriptor, page pageIndex: Int = 0, targets: [RenderTarget] = []) throws {
        let placed = Self.placed(targets)
        let memoryByteCount = max(1, placed.map { $0.offset + $0.byteCount }.max() ?? 0)
        let memory = try MemoryFile.create(name: "pixels", byteCount: memoryByteCount)
        let mapping = try Mapping(of: memory.number, byteCount: memoryByteCount, writable: true)
        let request = RenderRequest(
            taskID: 1, mediaType: .pdf, limits: Limits(), pageIndex: pageIndex, targets: placed)
        let job = RenderJob(request: request, source: try Source(file), memory: mapping)
        switch try PageRenderer(as: .pdf).render(job) {
        case .declined(let reason): fatalError("nobody is asked after Poppler: \(reason)")
        case .rendered(let facts, let pixels):
            self.facts = facts
            pictures = zip(placed, pixels).map { target, pixels in
                let bytes = UnsafeRawBufferPointer(
                    rebasing: mapping.bytes[target.offset..<target.offset + pixels.byteCount])
                return Picture(size: PixelSize(width: pixels.width, height: pixels.height), bytes: Array(bytes))
            }
        case .text: fatalError("nobody asked for text")
        case .failed(let failure): throw failure
        }
    }

    private static func placed(_ targets: [RenderTarget]) -> [RenderTarget] {
        var offset = 0
        return targets.map { target in
            var target = target
            target.offset = offset
            target.byteCount = target.box.bounds.pixelCount * 4
            offset += target.byteCount
            return target
        }
    }
}

extension RenderTarget {
    static func inside(_ width: Int, _ height: Int) -> RenderTarget {
        RenderTarget(
            box: Box(width: width, height: height)!, fit: .inside, gravity: .centre, enlarge: false, offset: 0,
            byteCount: 0)
    }

    static func cover(_ width: Int, _ height: Int, _ gravity: Gravity = .top) -> RenderTarget {
        RenderTarget(
            box: Box(width: width, height: height)!, fit: .cover, gravity: gravity, enlarge: false, offset: 0,
            byteCount: 0)
    }
}

let red: [UInt8] = [255, 0, 0]
let green: [UInt8] = [0, 255, 0]
let blue: [UInt8] = [0, 0, 255]
let yellow: [UInt8] = [255, 255, 0]
let white: [UInt8] = [255, 255, 255]
