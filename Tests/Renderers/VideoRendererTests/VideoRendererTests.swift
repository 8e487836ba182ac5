import Media
import TestDeadline
import Testing
import VideoRenderer
import Wire

/// Serialized, because FFmpeg has one log a process.
@Suite(.serialized, .deadline) struct VideoRendererTests {
    private let video = MadeVideo(greys: [0, 20, 40, 60, 80, 100, 120, 140, 160, 180])

    @Test("The first frame of a video is shown, upright, with the container's facts")
    func firstFrame() throws {
        let rendered = try RenderedFile(video.bytes, as: .avi)
        #expect(rendered.facts.width == 64 && rendered.facts.height == 48)
        #expect(rendered.facts.frameRate == 10 && rendered.facts.codec == "rawvideo" && rendered.facts.kind == .video)
        #expect(abs((rendered.facts.duration ?? 0) - 1) < 0.001)
        #expect(rendered.facts.poster == Facts.Poster(time: 0, reason: "first"))
        #expect(rendered.facts.orientation == nil)
        #expect(rendered.pixels.map(\.channels) == [3])
        #expect(rendered.pixel(5, 5) == [255, 255, 255] && rendered.pixel(50, 5) == [0, 0, 0])
        #expect(rendered.pixel(5, 40) == [0, 0, 0] && rendered.pixel(50, 40) == [0, 0, 0])
    }

    @Test(
        "The frame at a time is the last one that started by then",
        arguments: [
            (TimePosition.milliseconds(0), 0), (.milliseconds(450), 80), (.milliseconds(500), 100),
            (.permille(300), 60),
            (.milliseconds(60_000), 180), (.permille(1000), 180),
        ])
    func times(time: TimePosition, grey: Int) throws {
        let rendered = try RenderedFile(video.bytes, as: .avi, time: time)
        #expect(rendered.pixel(50, 40) == [UInt8](repeating: UInt8(grey), count: 3))
        #expect(rendered.facts.poster?.reason == "asked")
        #expect(abs((rendered.facts.poster?.time ?? -1) - Double(grey) / 200) < 0.001)
    }

    @Test("One frame fills several targets, each by its own layout")
    func targets() throws {
        let rendered = try RenderedFile(video.bytes, as: .avi, boxes: ["16x16", "32x32", "8x"], fit: .cover)
        #expect(rendered.pixels.map(\.width) == [16, 32, 8] && rendered.pixels.map(\.height) == [16, 32, 6])
        for index in 0..<3 {
            #expect(rendered.pixel(1, 1, ofTarget: index).allSatisfy { $0 > 250 })
            #expect(rendered.pixel(7, 5, ofTarget: 2).allSatisfy { $0 < 5 })
        }
        // Cropped from the centre: the white quarter ends in the middle.
        #expect(
            rendered.pixel(13, 2, ofTarget: 1).allSatisfy { $0 > 250 }
                && rendered.pixel(19, 2, ofTarget: 1).allSatisfy { $0 < 5 })
    }

    @Test("A job without targets returns facts and no pixels")
    func factsOnly() throws {
        let rendered = try RenderedFile(video.bytes, as: .avi, boxes: [])
        #expect(rendered.pixels.isEmpty)
        #expect(rendered.facts.width == 64 && rendered.facts.height == 48 && rendered.facts.poster == nil)
    }

    @Test("A bitmap's pixels are read exactly")
    func bitmap() throws {
        let picture = MadeBitmap(width: 5, height: 3) { x, y in (UInt8(x * 50), UInt8(y * 100), UInt8(x * y * 30)) }
        let rendered = try RenderedFile(picture.bytes, as: .bmp)
        #expect(rendered.facts.kind == .image && rendered.facts.width == 5 && rendered.facts.height == 3)
        #expect(
            rendered.facts.hasAlpha == false && rendered.facts.colorSpace == "srgb" && rendered.facts.duration == nil)
        for y in 0..<3 {
            for x in 0..<5 { #expect(rendered.pixel(x, y) == [UInt8(x * 50), UInt8(y * 100), UInt8(x * y * 30)]) }
        }
    }

    @Test(
        "A file that breaks off is rendered in part or corrupt, and does not crash",
        arguments: [0, 10, 150, 300, 3000])
    func truncated(byteCount: Int) throws {
        let failure = try RenderedFile.failure(Array(video.bytes.prefix(byteCount)), as: .avi)
        #expect(failure?.code == .corrupt)
        #expect(failure?.message == "Unable to load file. File may be corrupt.")
        let bitmap = MadeBitmap(width: 50, height: 30) { _, _ in (1, 2, 3) }
        let still = try RenderedFile.failure(Array(bitmap.bytes.prefix(byteCount)), as: .bmp)
        #expect(still?.code == .corrupt)
    }

    @Test("A video that lacks its later frames shows its first")
    func truncatedLater() throws {
        let rendered = try RenderedFile(Array(video.bytes.prefix(20_000)), as: .avi)
        #expect(rendered.pixel(5, 5) == [255, 255, 255])
    }

    @Test("A frame over the limit on pixels is refused with the limit's name")
    func pixelLimit() throws {
        var limits = Limits()
        limits.framePixelCount = 64 * 48 - 1
        for (bytes, type) in [
            (video.bytes, MediaType.avi), (MadeBitmap(width: 64, height: 48) { _, _ in (1, 2, 3) }.bytes, .bmp),
        ] {
            let failure = try RenderedFile.failure(bytes, as: type, limits: limits)
            #expect(failure?.code == .tooLarge)
            #expect(failure?.message.contains("--max-frame-pixels") == true)
        }
    }

    @Test("A job over the limit on bytes read is refused with the limit's name")
    func readLimit() throws {
        var limits = Limits()
        limits.posterReadByteCount = 4000
        let failure = try RenderedFile.failure(video.bytes, as: .avi, limits: limits)
        #expect(failure?.code == .tooLarge)
        #expect(failure?.message.contains("--max-poster-read") == true)
    }

    @Test("Audio without a picture is unsupported")
    func sound() throws {
        let header = Array("RIFF".utf8) + [52, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
        let wave = header + [0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [16, 0, 0, 0]
        let failure = try RenderedFile.failure(
            wave + [UInt8](repeating: 0, count: 16), as: MediaType(rawValue: "audio/x-wav"))
        #expect(failure?.code == .unsupported)
        #expect(failure?.detail == "no video")
    }

    /// FFmpeg's own programs open all files in such a playlist, whatever its name.
    @Test(
        "A playlist is not opened, whatever its media type",
        arguments: ["video/mp4", "video/mpeg", "video/x-unknown"])
    func lists(mediaType: String) throws {
        let playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n"
        for list in [playlist, "ffconcat version 1.0\nfile /etc/hostname\n"] {
            let failure = try RenderedFile.failure(Array(list.utf8), as: MediaType(rawValue: mediaType))
            #expect(failure?.code == .corrupt || failure?.code == .unsupported)
        }
    }

    @Test("The build names the libraries with their versions")
    func build() throws {
        let build = try VideoRenderer(as: .video).build
        #expect(build.contains { $0.hasPrefix("libavcodec ") } && build.contains { $0.hasPrefix("libswscale ") })
        #expect(build.allSatisfy { $0.split(separator: " ").last?.first?.isNumber == true })
    }
}
