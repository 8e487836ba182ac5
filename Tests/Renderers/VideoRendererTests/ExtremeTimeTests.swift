import Media
import TestDeadline
import Testing
import VideoRenderer

/// Files with times near the limits of 64 bits once ended the renderer by an overflow. Serialized, because FFmpeg has one
/// log a process.
@Suite("Times near the limits of 64 bits", .serialized, .deadline)
struct ExtremeTimeTests {
    private static let positions: [TimePosition] = [
        .poster, .milliseconds(0), .milliseconds(1), .milliseconds(1500), .milliseconds(3_600_000_000), .permille(1),
        .permille(500), .permille(1000),
    ]

    /// As unsigned numbers: from 2⁶³ on they are negative, and 2⁶³ itself is FFmpeg's "no timestamp".
    private static let starts: [UInt64] = [
        1 << 31, 1 << 53, 1 << 62, 1 << 62 - 3, 1 << 63 - 1000, 1 << 63 - 1, 1 << 63, 1 << 63 + 1, 3 << 62,
        .max - 1, .max,
    ]

    private static let grey = [UInt8](repeating: 128, count: 64 * 48 * 3)
    private static let white = [UInt8](repeating: 255, count: 64 * 48 * 3)
    /// A frame with content: its right half is white.
    private static let halves = (0..<48 * 64).flatMap { [UInt8](repeating: $0 % 64 < 32 ? 0 : 255, count: 3) }

    /// The picture's facts, or the code of the failure.
    private func outcome(_ file: [UInt8], _ type: MediaType, _ time: TimePosition) throws -> String {
        do {
            let rendered = try RenderedFile(file, as: type, time: time)
            guard let poster = rendered.facts.poster else { return "no poster" }
            return poster.time.isFinite && poster.time >= 0 ? "picture" : "time \(poster.time)"
        } catch let failure as Failure {
            return [.corrupt, .unsupported, .tooLarge].contains(failure.code) ? "failure" : "\(failure)"
        }
    }

    private func expectOutcomes(_ file: [UInt8], _ type: MediaType, _ comment: String) throws {
        for time in Self.positions {
            let outcome = try outcome(file, type, time)
            #expect(["picture", "failure"].contains(outcome), "\(comment), \(time): \(outcome)")
        }
        // The facts alone, without a picture.
        _ = try? RenderedFile(file, as: type, boxes: [])
    }

    @Test("Matroska with extreme times is rendered or fails", arguments: starts, [1, 1_000_000, 1_000_000_000, .max])
    func matroska(start: UInt64, timeScale: Int) throws {
        for duration: Float? in [nil, 2000, 0x1p62, .infinity, .nan, -1] {
            var file = MadeMatroska(frame: Self.grey, later: [(1000, Self.grey), (2000, Self.halves)])
            file.start = start
            file.timeScale = timeScale
            file.duration = duration
            try expectOutcomes(file.bytes, .matroska, "\(start) × \(timeScale) ns, \(duration ?? 0)")
            // Frames of nearly endless duration.
            file.blockDuration = 1 << 62
            try expectOutcomes(file.bytes, .matroska, "\(start) × \(timeScale) ns, \(duration ?? 0), long")
        }
    }

    @Test(
        "Fragments of MP4 with extreme times are rendered or fail", arguments: starts,
        [1, 1000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func fragments(start: UInt64, framesPerSecond: Int) throws {
        var file = MadeMovie(framesPerSecond: framesPerSecond, frames: [Self.grey, Self.grey, Self.halves])
        file.fragmentStart = start
        try expectOutcomes(file.bytes, .quickTime, "\(start) at \(framesPerSecond)")
    }

    @Test(
        "AVI with extreme times is rendered or fails", arguments: [1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF],
        [1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
    func avi(timeScale: Int, framesPerSecond: Int) throws {
        for start in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
            var file = MadeVideo(framesPerSecond: 10, greys: [128, 128, 128], corner: { $0 == 2 ? 255 : 128 })
            file.framesPerSecond = framesPerSecond
            file.timeScale = timeScale
            file.start = start
            try expectOutcomes(file.bytes, .avi, "\(timeScale) / \(framesPerSecond) from \(start)")
        }
    }

    @Test("Frames at large times are found by their distance from the first frame")
    func farFrames() throws {
        var file = MadeMovie(framesPerSecond: 10, frames: [Self.halves, Self.white, Self.halves])
        file.fragmentStart = 1 << 62
        let early = try RenderedFile(file.bytes, as: .quickTime, time: .milliseconds(50))
        #expect(early.pixel(2, 2)[0] < 4)
        let late = try RenderedFile(file.bytes, as: .quickTime, time: .milliseconds(150))
        #expect(late.pixel(2, 2)[0] > 250)
        #expect(late.facts.poster?.reason == "asked")
    }
}
