import Media
import TestDeadline
import Testing
import Thumbnailer

@Suite("Encoder", .deadline)
struct EncoderTests {
    private let smooth = SamplePicture.smooth.bitmap(123, 77)
    private let fade = SamplePicture.fade.bitmap(123, 77)

    @Test("A JPEG is baseline, of the picture's size, and like the picture", arguments: [3, 4])
    func jpeg(channels: Int) throws {
        let picture = channels == 4 ? smooth : smooth.flattened(on: .white)
        let file = try Encoder.encode(picture, as: .jpeg, quality: 80)
        let header = try #require(FileHeader.jpeg(file))
        #expect(header == .init(isBaseline: true, width: 123, height: 77, sampling: [0x22, 0x11, 0x11]))
        let decoded = try #require(DecodedPicture.jpeg(file, width: 123, height: 77))
        #expect(DecodedPicture.likeness(decoded, smooth.withoutAlpha) > 38)
    }

    @Test("From quality 90 on, a JPEG's chroma is not subsampled", arguments: [(89, 0x22), (90, 0x11), (100, 0x11)])
    func sampling(quality: Int, factors: UInt8) throws {
        let file = try Encoder.encode(smooth, as: .jpeg, quality: quality)
        #expect(FileHeader.jpeg(file)?.sampling == [factors, 0x11, 0x11])
    }

    @Test("A JPEG of a transparent picture shows it over the background")
    func jpegOverBackground() throws {
        let ground = Colour(red: 10, green: 20, blue: 200)
        let file = try Encoder.encode(fade, as: .jpeg, quality: 95, background: ground)
        let decoded = try #require(DecodedPicture.jpeg(file, width: 123, height: 77))
        #expect(DecodedPicture.likeness(decoded, fade.flattened(on: ground).pixels) > 38)
        #expect(zip(decoded.prefix(3), [10, 20, 200]).allSatisfy { abs(Int($0) - $1) <= 6 })
    }

    @Test("A PNG yields every value, also of padded rows", arguments: [0, 13])
    func png(padding: Int) throws {
        let picture = SamplePicture.fade.bitmap(123, 77, padding: padding)
        let file = try Encoder.encode(picture, as: .png, quality: 80)
        #expect(FileHeader.png(file) == .init(width: 123, height: 77, bitDepth: 8, colourType: 6))
        #expect(DecodedPicture.png(file) == fade.pixels)
        #expect(Set(FileHeader.pngChunks(file)) == ["IHDR", "IDAT", "IEND"])
    }

    @Test("A PNG of an opaque picture has no alpha channel")
    func opaquePNG() throws {
        let file = try Encoder.encode(smooth, as: .png, quality: 80)
        #expect(FileHeader.png(file)?.colourType == 2)
        #expect(DecodedPicture.png(file) == smooth.withoutAlpha)
    }

    @Test("A WebP is like the picture")
    func webp() throws {
        let file = try Encoder.encode(smooth.flattened(on: .white), as: .webp, quality: 80)
        #expect(FileHeader.webpChunk(file) == "VP8 ")
        let decoded = try #require(DecodedPicture.webp(file))
        #expect(decoded.width == 123 && decoded.height == 77)
        #expect(DecodedPicture.likeness(decoded.pixels, smooth.pixels) > 35)
    }

    @Test("A WebP keeps alpha exactly", arguments: [0, 13])
    func webpAlpha(padding: Int) throws {
        let file = try Encoder.encode(SamplePicture.fade.bitmap(123, 77, padding: padding), as: .webp, quality: 80)
        #expect(FileHeader.webpChunk(file) == "VP8X")
        let decoded = try #require(DecodedPicture.webp(file))
        let alphas = stride(from: 3, to: decoded.pixels.count, by: 4)
        #expect(alphas.map { decoded.pixels[$0] } == alphas.map { fade.pixels[$0] })
    }

    @Test("A higher quality takes more bytes", arguments: [RenditionFormat.jpeg, .webp])
    func quality(format: RenditionFormat) throws {
        let picture = SamplePicture.squares.bitmap(200, 150)
        let sizes = try [1, 40, 80, 100].map { try Encoder.encode(picture, as: format, quality: $0).count }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 4)
    }

    @Test("The smallest picture can be encoded in every format", arguments: RenditionFormat.allCases)
    func onePixel(format: RenditionFormat) throws {
        let pixel = Bitmap(width: 1, height: 1, channels: 3, bytes: [250, 128, 3])
        let file = try Encoder.encode(pixel, as: format, quality: 95)
        let decoded: [UInt8]? =
            switch format {
            case .jpeg: DecodedPicture.jpeg(file, width: 1, height: 1)
            case .png: DecodedPicture.png(file)
            case .webp: DecodedPicture.webp(file).map { Array($0.pixels.prefix(3)) }
            }
        #expect(DecodedPicture.likeness(try #require(decoded), [250, 128, 3]) > 30)
    }

    @Test(
        "A side beyond a format's limit is a failure, not a crash",
        arguments: [(RenditionFormat.webp, 16_384), (.jpeg, 65_501)])
    func tooWide(format: RenditionFormat, width: Int) {
        let picture = Bitmap(width: width, height: 1, channels: 3, bytes: [UInt8](repeating: 9, count: width * 3))
        let failure = #expect(throws: Failure.self) { try Encoder.encode(picture, as: format, quality: 80) }
        #expect(failure?.code == .unavailable)
        #expect(failure?.detail.isEmpty == false)
    }

    @Test("The longest side of a box can be encoded in every format", arguments: RenditionFormat.allCases)
    func longestSide(format: RenditionFormat) throws {
        let side = Box.longestSide
        let picture = Bitmap(width: side, height: 1, channels: 4, bytes: [UInt8](repeating: 90, count: side * 4))
        #expect(try !Encoder.encode(picture, as: format, quality: 80).isEmpty)
    }

    @Test("A contain recipe is padded to its box with its background")
    func contain() throws {
        var recipe = Recipe(box: Box(width: 40, height: 30)!, fit: .contain, format: .png)
        recipe.background = Colour(red: 1, green: 2, blue: 3)
        let picture = Bitmap(width: 2, height: 2, channels: 3, bytes: [UInt8](repeating: 200, count: 12))
        let encoded = try Encoder.encode(picture, for: recipe)
        #expect(encoded.size == PixelSize(width: 40, height: 30))
        let pixels = try #require(DecodedPicture.png(encoded.bytes))
        #expect(Array(pixels.prefix(3)) == [1, 2, 3])
        let middle = (14 * 40 + 19) * 3
        #expect(Array(pixels[middle..<middle + 6]) == [UInt8](repeating: 200, count: 6))
        #expect(pixels.filter { $0 == 200 }.count == 12)
    }

    @Test("An open side of a box is not padded")
    func containOpenSide() throws {
        let recipe = Recipe(box: Box(width: 40, height: nil)!, fit: .contain, format: .png)
        let picture = Bitmap(width: 2, height: 7, channels: 3, bytes: [UInt8](repeating: 200, count: 42))
        #expect(try Encoder.encode(picture, for: recipe).size == PixelSize(width: 40, height: 7))
    }

    @Test("The recipe decides the format, and the picture where the recipe leaves it open")
    func resolvedFormat() throws {
        var recipe = Recipe(box: Box(width: 200, height: 200)!, fit: .inside)
        #expect(try Encoder.encode(smooth, for: recipe).format == .jpeg)
        #expect(try Encoder.encode(fade, for: recipe).format == .png)
        recipe.format = .webp
        let encoded = try Encoder.encode(smooth, for: recipe)
        #expect(encoded.format == .webp && FileHeader.webpChunk(encoded.bytes) != nil)
    }
}
