import Formats
import ImageRenderer
import Linux
import Media
import Rendering
import Wire

/// One picture given to the renderer in this process, as a child would be given it.
struct TestRun {
    var mediaType: MediaType
    var pageIndex = 0
    var limits = Limits()

    /// The result.
    struct Result {
        let facts: Facts
        let bitmaps: [Bitmap]
    }

    init(_ mediaType: MediaType) { self.mediaType = mediaType }

    /// Renders `bytes` into boxes; without any, only the facts are read.
    func callAsFunction(
        _ bytes: [UInt8], into boxes: String..., fit: Fit = .inside, gravity: Gravity = .centre, enlarge: Bool = false
    ) throws(Failure) -> Result {
        var targets: [RenderTarget] = []
        var offset = 0
        for box in boxes.map({ Box(parsing: $0)! }) {
            let byteCount = box.bounds.pixelCount * 4
            targets.append(
                RenderTarget(
                    box: box, fit: fit, gravity: gravity, enlarge: enlarge, offset: offset, byteCount: byteCount))
            offset += byteCount
        }
        let request = RenderRequest(
            taskID: 1, mediaType: mediaType, limits: limits, pageIndex: pageIndex, targets: targets)
        let memory = try! Self.memory(byteCount: max(1, offset))
        let job = RenderJob(request: request, source: try! Source(Self.file(bytes)), memory: memory)
        var renderer = try ImageRenderer(as: mediaType == .svg ? .svg : .image)
        renderer.prepare(for: mediaType)
        switch try renderer.render(job) {
        case .failed(let failure): throw failure
        case .declined(let reason): fatalError("nobody is asked after libvips: \(reason)")
        case .text: fatalError("nobody asked for text")
        case .rendered(let facts, let pixels):
            let bitmaps = zip(pixels, targets).map { pixels, target in
                Bitmap(
                    width: pixels.width, height: pixels.height, channels: pixels.channels,
                    bytes: Array(memory.bytes[target.offset..<target.offset + pixels.byteCount]))
            }
            return Result(facts: facts, bitmaps: bitmaps)
        }
    }

    /// As facts are asked of a renderer that was not prepared for the media type.
    func unprepared(_ bytes: [UInt8]) throws(Failure) -> RenderAnswer {
        let request = RenderRequest(taskID: 1, mediaType: mediaType, limits: limits)
        return try ImageRenderer(as: .image).render(
            RenderJob(request: request, source: try! Source(Self.file(bytes)), memory: nil))
    }

    private static func memory(byteCount: Int) throws(SystemError) -> Mapping {
        let file = try MemoryFile.create(name: "pixels", byteCount: byteCount)
        return try Mapping(of: file.number, byteCount: byteCount, writable: true)
    }

    private static func file(_ bytes: [UInt8]) throws(SystemError) -> Descriptor {
        let file = try MemoryFile.create(name: "source", byteCount: bytes.count)
        if !bytes.isEmpty {
            let mapping = try Mapping(of: file.number, byteCount: bytes.count, writable: true)
            mapping.bytes.copyBytes(from: bytes)
        }
        return file
    }
}

extension Bitmap {
    /// The channels of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        withUnsafeBytes { bytes in (0..<channels).map { Int(bytes[y * bytesPerRow + x * channels + $0]) } }
    }
}
