import Media
import TestDeadline
import Testing
import VideoRenderer

/// Serialized, because FFmpeg has one log a process.
@Suite("Display fields of MP4 and QuickTime", .serialized, .deadline)
struct MovieTests {
    /// A white picture with black margins.
    private func framed(width: Int, height: Int, left: Int, top: Int, right: Int, bottom: Int) -> [UInt8] {
        (0..<height).flatMap { y in
            (0..<width).flatMap { x -> [UInt8] in
                let isInside = x >= left && x < width - right && y >= top && y < height - bottom
                return isInside ? [255, 255, 255] : [0, 0, 0]
            }
        }
    }

    private func clap(_ numbers: [Int]) -> [UInt8] { MadeMovie.box("clap", numbers.flatMap(MadeMovie.big)) }

    @Test("Only the clean aperture is shown, wherever it lies")
    func cleanAperture() throws {
        var movie = MadeMovie(frames: [framed(width: 64, height: 48, left: 12, top: 3, right: 4, bottom: 5)])
        movie.extensions = clap([48, 1, 40, 1, 8, 2, -2, 2])
        let rendered = try RenderedFile(movie.bytes, as: MediaType(rawValue: "video/quicktime"))
        #expect(rendered.facts.width == 48 && rendered.facts.height == 40)
        for (x, y) in [(0, 0), (47, 0), (0, 39), (47, 39)] { #expect(rendered.pixel(x, y) == [255, 255, 255]) }
        let facts = try RenderedFile(movie.bytes, as: MediaType(rawValue: "video/quicktime"), boxes: []).facts
        #expect(facts.width == 48 && facts.height == 40)
    }

    /// FFmpeg 7.1 refuses such movies: `Container` opens them without the box.
    @Test(
        "A clean aperture beyond the frame is ignored",
        arguments: [
            [48, 0, 40, 1, 0, 1, 0, 1], [65, 1, 48, 1, 0, 1, 0, 1], [60, 1, 48, 1, 3, 1, 0, 1],
            [-48, 1, 40, 1, 0, 1, 0, 1], [0, 1, 0, 1, 0, 1, 0, 1], [1, 0x7FFF_FFFF, 1, 1, 0, 1, 0, 1],
        ])
    func impossibleAperture(numbers: [Int]) throws {
        var movie = MadeMovie(frames: [framed(width: 64, height: 48, left: 1, top: 1, right: 1, bottom: 1)])
        movie.extensions = clap(numbers)
        let rendered = try RenderedFile(movie.bytes, as: MediaType(rawValue: "video/quicktime"))
        #expect(rendered.facts.width == 64 && rendered.facts.height == 48)
        #expect(rendered.pixel(0, 0) == [0, 0, 0])
    }

    @Test("Wrong box sizes end the search for a clean aperture, and nothing else")
    func hostileBoxes() throws {
        let picture = framed(width: 64, height: 48, left: 0, top: 0, right: 0, bottom: 0)
        for lie in [
            [UInt8](repeating: 0xFF, count: 7), MadeMovie.big(4) + Array("clap".utf8),
            MadeMovie.big(1) + Array("free".utf8),
        ] {
            var movie = MadeMovie(frames: [picture])
            movie.extensions = lie
            #expect(try RenderedFile(movie.bytes, as: MediaType(rawValue: "video/quicktime")).facts.width == 64)
        }
    }

    /// A frame of one colour.
    private func flat(_ y: UInt8, _ u: UInt8, _ v: UInt8) -> [UInt8] {
        (0..<64 * 48 / 2).flatMap { _ in [u, y, v, y] }
    }

    private func colour(_ y: UInt8, _ u: UInt8, _ v: UInt8, tags: [UInt8]) throws -> [UInt8] {
        let movie = MadeMovie(format: "2vuy", frames: [flat(y, u, v)], extensions: tags)
        return try RenderedFile(movie.bytes, as: MediaType(rawValue: "video/quicktime")).pixel(20, 20)
    }

    private func isNear(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        zip(one, other).allSatisfy { abs(Int($0) - Int($1)) <= 3 }
    }

    /// BT.709's red of (220, 30, 30), in limited range: Y 76, Cb 109, Cr 211 by ITU-R BT.709-6, 3.2 to 3.4.
    @Test("Where the codec does not state colours, those of the container apply")
    func containerTags() throws {
        #expect(isNear(try colour(76, 109, 211, tags: MadeMovie.colours(1, 1, 1)), [220, 30, 30]))
        #expect(!isNear(try colour(76, 109, 211, tags: []), [220, 30, 30]), "without a word such a size is BT.601's")
    }

    @Test("YCgCo is converted by its own matrix")
    func ycgco() throws {
        // Green: Y = ½, Cg = ½, Co = 0, in 219 and 224 steps.
        #expect(isNear(try colour(126, 240, 128, tags: MadeMovie.colours(1, 1, 8)), [0, 255, 0]))
        #expect(isNear(try colour(235, 128, 128, tags: MadeMovie.colours(1, 1, 8)), [255, 255, 255]))
    }

    @Test("The primaries of Display P3 and BT.2020 are converted to sRGB's", arguments: [UInt8(9), 12])
    func widePrimaries(primaries: UInt8) throws {
        let (plain, wide) = (
            try colour(90, 110, 180, tags: MadeMovie.colours(1, 1, 1)),
            try colour(90, 110, 180, tags: MadeMovie.colours(primaries, 1, 1))
        )
        #expect(wide[0] > plain[0] && wide[1] < plain[1], "the same numbers are a stronger red")
        #expect(isNear(try colour(126, 128, 128, tags: MadeMovie.colours(primaries, 1, 1)), [128, 128, 128]))
    }

    @Test("HLG's largest signal is white and its reference white is darker, whatever the picture")
    func hlg() throws {
        let tags = MadeMovie.colours(9, 18, 9)
        #expect(try colour(235, 128, 128, tags: tags).allSatisfy { $0 > 252 })
        // ITU-R BT.2408: 75 % of the signal. BT.2390's curve from 1,000 to 203 cd/m² shows 202 as 159.
        #expect(isNear(try colour(180, 128, 128, tags: tags), [229, 229, 229]))
    }

    private func combed() -> [UInt8] {
        (0..<48).flatMap { y in
            (0..<32).flatMap { _ -> [UInt8] in y % 2 == 0 ? [128, 200, 128, 200] : [128, 40, 128, 40] }
        }
    }

    @Test(
        "One field is dropped where the container alone marks frames as interlaced",
        arguments: [(UInt8(9), UInt8(200)), (14, 40)])
    func fields(detail: UInt8, brightness: UInt8) throws {
        let movie = MadeMovie(format: "2vuy", frames: [combed()], extensions: MadeMovie.box("fiel", [2, detail]))
        let rendered = try RenderedFile(movie.bytes, as: MediaType(rawValue: "video/quicktime"))
        let expected = Int((Double(brightness) - 16) * 255 / 219)
        for y in 0..<48 { #expect(abs(Int(rendered.pixel(30, y)[0]) - expected) <= 3) }
    }

    @Test("One field is dropped in far smaller pictures too")
    func fieldsOfSmallPicture() throws {
        let movie = MadeMovie(format: "2vuy", frames: [combed()], extensions: MadeMovie.box("fiel", [2, 9]))
        let small = try RenderedFile(movie.bytes, as: MediaType(rawValue: "video/quicktime"), boxes: ["8x6"])
        #expect(small.pixel(4, 3)[0] > 210, "the mean of both fields would be 121")
    }

    @Test("The duration is that of the movie header, hidden parts included")
    func duration() throws {
        let frames = [[UInt8](repeating: 200, count: 64 * 48 * 3)]
        let type = MediaType(rawValue: "video/quicktime")
        #expect(try RenderedFile(MadeMovie(frames: frames, delay: 3).bytes, as: type).facts.duration == 3.1)
    }

    @Test("Times count from the start of the audio where the video starts later")
    func latePicture() throws {
        let frames = (0..<10).map { number in
            [UInt8](repeating: 0, count: 64 * 24 * 3) + [UInt8](repeating: UInt8(number * 15 + 100), count: 64 * 24 * 3)
        }
        let movie = MadeMovie(frames: frames, delay: 3, hasSound: true)
        let type = MediaType(rawValue: "video/quicktime")
        #expect(try RenderedFile(movie.bytes, as: type).facts.poster == Facts.Poster(time: 3, reason: "first"))
        let asked = try RenderedFile(movie.bytes, as: type, time: .milliseconds(3500))
        #expect(asked.facts.poster == Facts.Poster(time: 3.5, reason: "asked"))
        #expect(asked.pixel(30, 40)[0] == 175)
        let early = try RenderedFile(movie.bytes, as: type, time: .milliseconds(1000))
        #expect(early.facts.poster?.time == 3)
    }
}
