import Formats
import Linux
import Media
import PlainRenderer
import Rendering
import Wire

/// A file given to the renderer in this process, as a child would be given it.
struct TestRun {
    var mediaType = MediaType.jpeg
    var limits = Limits()
    var threadCount = 1

    enum Result {
        case rendered(Facts, [Bitmap])
        case declined
    }

    /// The facts and pictures of a file that the renderer takes.
    struct Refused: Error {}

    func rendered(
        _ bytes: [UInt8], into boxes: String..., fit: Fit = .inside, enlarge: Bool = false
    ) throws -> (facts: Facts, bitmaps: [Bitmap]) {
        guard case .rendered(let facts, let bitmaps) = try self(bytes, boxes, fit, enlarge) else { throw Refused() }
        return (facts, bitmaps)
    }

    /// The decoder's name in `--explain`.
    func decoder(_ bytes: [UInt8], into box: String) throws -> String? {
        let notebook = Notebook(since: .zero)
        _ = try self(bytes, [box], .inside, false, notebook)
        return notebook.notes.notes.first { $0.topic == .decoder }?.text
    }

    func declines(_ bytes: [UInt8], into box: String = "32x32") throws -> Bool {
        if case .declined = try self(bytes, [box], .inside, false) { true } else { false }
    }

    private func callAsFunction(
        _ bytes: [UInt8], _ boxes: [String], _ fit: Fit, _ enlarge: Bool, _ notebook: Notebook? = nil
    ) throws -> Result {
        var targets: [RenderTarget] = []
        var offset = 0
        for box in boxes.map({ Box(parsing: $0)! }) {
            let byteCount = box.bounds.pixelCount * 4
            targets.append(
                RenderTarget(
                    box: box, fit: fit, gravity: .centre, enlarge: enlarge, offset: offset, byteCount: byteCount))
            offset += byteCount
        }
        let file = try MemoryFile.create(name: "pixels", byteCount: max(1, offset))
        let memory = try Mapping(of: file.number, byteCount: max(1, offset), writable: true)
        let request = RenderRequest(
            taskID: 1, mediaType: mediaType, limits: limits, threadCount: threadCount, targets: targets)
        let job = RenderJob(request: request, source: try Source(Self.file(bytes)), memory: memory, notebook: notebook)
        switch try PlainRenderer(as: .plain).render(job) {
        case .failed(let failure): throw failure
        case .declined: return .declined
        case .text: fatalError("nobody asked for text")
        case .rendered(let facts, let pixels):
            return .rendered(
                facts,
                zip(pixels, targets).map { pixels, target in
                    Bitmap(
                        width: pixels.width, height: pixels.height, channels: pixels.channels,
                        bytes: Array(memory.bytes[target.offset..<target.offset + pixels.byteCount]))
                })
        }
    }

    private static func file(_ bytes: [UInt8]) throws -> Descriptor {
        let file = try MemoryFile.create(name: "source", byteCount: bytes.count)
        if !bytes.isEmpty { try file.write(bytes) }
        return file
    }
}

/// A picture's samples, compared as a whole: to list how two arrays of them differ takes minutes.
struct Samples: Equatable, CustomStringConvertible {
    private let bytes: [UInt8]

    init(of bitmap: Bitmap) { bytes = bitmap.withUnsafeBytes { Array($0) } }

    var description: String { "\(bytes.count) samples" }
}

extension Bitmap {
    /// The channels of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [Int] {
        withUnsafeBytes { bytes in (0..<channels).map { Int(bytes[y * bytesPerRow + x * channels + $0]) } }
    }

    func isNear(_ colour: [Int], at place: (x: Double, y: Double), within tolerance: Int) -> Bool {
        zip(pixel(Int(place.x * Double(width)), Int(place.y * Double(height))), colour)
            .allSatisfy { abs($0 - $1) <= tolerance }
    }
}
