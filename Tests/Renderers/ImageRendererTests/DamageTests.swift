import ImageRenderer
import Media
import TestDeadline
import Testing

@Suite("Damaged files", .deadline)
struct DamageTests {
    static func failure(_ mediaType: MediaType, _ bytes: [UInt8]) -> Failure.Code? {
        do throws(Failure) {
            _ = try TestRun(mediaType)(bytes, into: "64x64")
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A truncated JPEG shows the part that is left, and gray for the rest")
    func truncated() throws {
        let whole = try TestRun(.jpeg)(JPEGFile.gradient, into: "128x96").bitmaps[0]
        let half = try TestRun(.jpeg)(Array(JPEGFile.gradient.prefix(JPEGFile.gradient.count - 130)), into: "128x96")
            .bitmaps[0]
        #expect(half.pixel(5, 5) == whole.pixel(5, 5))
        #expect(half.pixel(120, 90) != whole.pixel(120, 90))
        #expect(half.pixel(120, 90) == half.pixel(100, 92))
    }

    @Test(
        "A JPEG that ends before its first row is corrupt, whichever part of it a rendition shows",
        arguments: [Fit.inside, .cover])
    func headerOnly(fit: Fit) throws {
        let bytes = JPEGFile.resized(JPEGFile.gradient, width: 1024, height: 768)
        let scan = bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }!
        let file = Array(bytes.prefix(scan + 14))
        let failure = #expect(throws: Failure.self) { _ = try TestRun(.jpeg)(file, into: "64x40", fit: fit) }
        #expect(failure?.code == .corrupt)
        #expect(try TestRun(.jpeg)(file).facts.width == 1024, "the header alone still tells the size")
    }

    @Test("A truncated PNG shows the rows that are left")
    func truncatedPNG() throws {
        let rows = (0..<64).map { y in [UInt8](repeating: UInt8(y * 2 + 100), count: 2000) }
        let file = PNGFile(width: 2000, height: 64, colourType: 0).bytes(rows: rows)
        let bitmap = try TestRun(.png)(Array(file.prefix(file.count / 2)), into: "2000x64").bitmaps[0]
        #expect(bitmap.pixel(1000, 5) == [110, 110, 110])
        #expect(bitmap.pixel(1000, 60) != [220, 220, 220])
    }

    @Test(
        "Bytes that are no picture of their type are corrupt",
        arguments: [
            MediaType.jpeg, .png, .webp, .gif, .tiff, .svg, .jpeg2000, .portableAnymap, .radianceHDR, .heic, .jpegXL,
        ])
    func garbage(mediaType: MediaType) {
        var state: UInt32 = 1
        let bytes = (0..<5000).map { _ -> UInt8 in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(state >> 24)
        }
        #expect(Self.failure(mediaType, bytes) == .corrupt)
        #expect(Self.failure(mediaType, []) == .corrupt)
    }

    @Test("Only the media type's own loader opens a file")
    func wrongType() {
        #expect(Self.failure(.png, JPEGFile.gradient) == .corrupt)
        #expect(Self.failure(.bmp, JPEGFile.gradient) == .unsupported)
    }
}
