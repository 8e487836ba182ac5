import Formats
import Linux
import Media
import Rendering
import VideoRenderer
import Wire

/// The answer and pixels of a video renderer in this process.
struct RenderedFile {
    let facts: Facts
    let pixels: [RenderedPixels]
    private let bytes: [[UInt8]]

    /// - Parameter boxes: one target each; none for the facts alone.
    init(
        _ source: [UInt8], as mediaType: MediaType, boxes: [String] = ["64x48"], fit: Fit = .inside,
        time: TimePosition = .poster,
        limits: Limits = Limits()
    ) throws {
        var targets: [RenderTarget] = []
        for box in boxes.map({ Box(parsing: $0)! }) {
            let offset = targets.last.map { $0.offset + $0.byteCount } ?? 0
            let byteCount = box.bounds.pixelCount * 4
            targets.append(
                RenderTarget(box: box, fit: fit, gravity: .centre, enlarge: false, offset: offset, byteCount: byteCount)
            )
        }
        let memory = try Self.memory(of: targets)
        let request = RenderRequest(taskID: 1, mediaType: mediaType, limits: limits, time: time, targets: targets)
        let job = RenderJob(request: request, source: try Self.source(source), memory: memory)
        guard case .rendered(let facts, let pixels) = try VideoRenderer(as: .video).render(job) else {
            throw Failure(.unavailable)
        }
        self.facts = facts
        self.pixels = pixels
        bytes = zip(targets, pixels).map { target, pixels in
            Array(memory!.bytes[target.offset..<target.offset + pixels.byteCount])
        }
    }

    /// The failure of rendering; `nil` where it succeeds.
    static func failure(_ source: [UInt8], as mediaType: MediaType, limits: Limits = Limits()) throws -> Failure? {
        do {
            _ = try RenderedFile(source, as: mediaType, limits: limits)
            return nil
        } catch let failure as Failure {
            return failure
        }
    }

    /// The channels of one pixel of a target.
    func pixel(_ x: Int, _ y: Int, ofTarget index: Int = 0) -> [UInt8] {
        let target = pixels[index]
        let place = (y * target.width + x) * target.channels
        return Array(bytes[index][place..<place + target.channels])
    }

    private static func memory(of targets: [RenderTarget]) throws -> Mapping? {
        guard let last = targets.last else { return nil }
        let file = try MemoryFile.create(name: "pixels", byteCount: last.offset + last.byteCount)
        return try withExtendedLifetime(file) {
            try Mapping(of: file.number, byteCount: last.offset + last.byteCount, writable: true)
        }
    }

    private static func source(_ bytes: [UInt8]) throws -> Source {
        let file = try MemoryFile.create(name: "source", byteCount: max(1, bytes.count))
        try file.write(bytes)
        return try Source(file)
    }
}
