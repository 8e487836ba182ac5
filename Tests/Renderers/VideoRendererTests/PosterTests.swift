import Media
import TestDeadline
import Testing
import VideoRenderer

@Suite("The poster frame", .deadline)
struct PosterTests {
    /// Five seconds at 10 frames a second, all key frames: blank at first, then with a corner of another colour.
    private func video(blankFor count: Int, grey: UInt8 = 0, corner: UInt8 = 200) -> MadeVideo {
        MadeVideo(greys: Array(repeating: grey, count: 50), corner: { $0 < count ? grey : corner })
    }

    private func poster(of video: MadeVideo, at time: TimePosition = .poster) throws -> Facts.Poster? {
        try RenderedFile(video.bytes, as: .avi, time: time).facts.poster
    }

    @Test("A first frame with content is the poster frame")
    func first() throws {
        #expect(try poster(of: video(blankFor: 0)) == Facts.Poster(time: 0, reason: "first"))
    }

    @Test("After a blank start of any colour, the first key frame with content is", arguments: [0, 16, 128, 255])
    func blankBeginning(grey: Int) throws {
        let video = video(blankFor: 12, grey: UInt8(grey), corner: grey < 100 ? 220 : 20)
        let rendered = try RenderedFile(video.bytes, as: .avi)
        #expect(rendered.facts.poster == Facts.Poster(time: 2, reason: "first-blank"))
        #expect(abs(Int(rendered.pixel(2, 2)[0]) - (grey < 100 ? 220 : 20)) < 6)
    }

    @Test("A frame that only begins to fade in is blank")
    func fade() throws {
        let video = MadeVideo(
            greys: (0..<50).map { UInt8(min($0 * 4, 120)) }, corner: { UInt8(min($0 * 8, 240)) })
        let poster = try poster(of: video)
        #expect(poster?.reason == "first-blank")
        #expect((poster?.time ?? 0) >= 0.5)
    }

    @Test("A fade is followed until it is over")
    func fadeOfKeys() throws {
        let video = MadeVideo(
            greys: (0..<50).map { UInt8(min($0 * 3, 60)) }, corner: { UInt8(min($0 * 12, 240)) })
        // The corner is 60 at half a second, the first tried place, and 240 from two seconds on.
        let rendered = try RenderedFile(video.bytes, as: .avi)
        #expect(rendered.facts.poster == Facts.Poster(time: 2, reason: "first-blank"))
    }

    @Test("Where the blank start is the only key frame, a frame a second after the first content is taken")
    func onlyKey() throws {
        var video = video(blankFor: 12)
        video.isKey = { $0 == 0 }
        let poster = try poster(of: video)
        #expect(poster?.reason == "first-blank")
        #expect(abs((poster?.time ?? 0) - 2.2) < 0.05)
    }

    @Test("A small bright area on black is content, such as a title")
    func title() throws {
        var video = video(blankFor: 0, corner: 255)
        video.width = 320
        video.height = 180
        #expect(try poster(of: video)?.reason == "first")
    }

    @Test("A video that is blank throughout shows its first frame")
    func blankThroughout() throws {
        #expect(try poster(of: video(blankFor: 50)) == Facts.Poster(time: 0, reason: "first"))
    }

    @Test("The first frame is shown where it was asked for, blank or not")
    func asked() throws {
        let rendered = try RenderedFile(video(blankFor: 12).bytes, as: .avi, time: .milliseconds(0))
        #expect(rendered.facts.poster == Facts.Poster(time: 0, reason: "asked"))
        #expect(rendered.pixel(2, 2)[0] < 8)
    }
}
