import ImageRenderer
import Media
import TestDeadline
import Testing

@Suite("Limits on pixels", .deadline)
struct PixelLimitTests {
    static func refusal(_ run: TestRun, _ bytes: [UInt8]) -> Failure? {
        do throws(Failure) {
            _ = try run(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("A streamed picture over its limit is refused by its header, naming the setting")
    func streamed() throws {
        var run = TestRun(.jpeg)
        run.limits.streamedPixelCount = 1_000_000
        run.limits.wholePixelCount = 1
        let failure = try #require(Self.refusal(run, JPEGFile.resized(JPEGFile.gradient, width: 1001, height: 1000)))
        #expect(failure.code == .tooLarge)
        #expect(failure.message.contains("1001×1000") && failure.message.contains("1 megapixels"))
        #expect(failure.message.contains("--max-pixels"))
        #expect(Self.refusal(run, JPEGFile.resized(JPEGFile.gradient, width: 1000, height: 1000)) == nil)
    }

    @Test("The limit of whole pictures applies to interlaced PNGs, not to plain ones")
    func interlaced() throws {
        var run = TestRun(.png)
        run.limits.wholePixelCount = 10_000
        let rows = [[UInt8]](repeating: Array(repeating: 7, count: 101), count: 100)
        let plain = PNGFile(width: 101, height: 100, colourType: 0)
        #expect(Self.refusal(run, plain.bytes(rows: rows)) == nil)
        var interlaced = plain
        interlaced.isInterlaced = true
        let failure = try #require(Self.refusal(run, interlaced.bytes(rows: rows)))
        #expect(failure.code == .tooLarge && failure.message.contains("--max-whole-pixels"))
    }

    @Test("A large WebP is refused by its first chunk, before its loader claims memory")
    func webp() throws {
        var file: [UInt8] = Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0]
        file += [0xFF, 0x3F, 0, 0xFF, 0x3F, 0]
        let failure = try #require(Self.refusal(TestRun(.webp), file))
        #expect(failure.code == .tooLarge && failure.message.contains("16384×16384"))
    }
}
