import CSpng
import Glibc
import Media
import TestDeadline
import Testing

@Suite("Plain PNGs", .deadline)
struct PNGRenditionTests {
    /// Red grows to the right, green downwards, blue is half; or gray that grows to the right.
    static func gradient(width: Int, height: Int, isGray: Bool = false, filter: spng_filter_choice) -> [UInt8] {
        MadePNG(width: width, height: height, colourType: isGray ? 0 : 2, filter: filter) { x, y in
            let red = x * 255 / (width - 1)
            return isGray ? [red] : [red, y * 255 / (height - 1), 128]
        }.bytes
    }

    static let filters = [
        SPNG_FILTER_CHOICE_NONE, SPNG_FILTER_CHOICE_SUB, SPNG_FILTER_CHOICE_UP, SPNG_FILTER_CHOICE_AVG,
        SPNG_FILTER_CHOICE_PAETH, SPNG_FILTER_CHOICE_ALL,
    ].map(\.rawValue)

    @Test("Every filter and size shows the source's gradient", arguments: filters)
    func gradients(filter: UInt32) throws {
        for (width, height) in [(301, 200), (64, 64)] {
            for isGray in [false, true] {
                let choice = spng_filter_choice(rawValue: filter)
                let file = Self.gradient(width: width, height: height, isGray: isGray, filter: choice)
                for side in [10, 33, 64, 400] {
                    let (facts, bitmaps) = try TestRun(mediaType: .png).rendered(file, into: "\(side)x\(side)")
                    let bitmap = bitmaps[0]
                    #expect(facts.colorSpace == (isGray ? "gray" : "srgb") && facts.width == width)
                    for (x, y) in [(0.3, 0.3), (0.5, 0.5), (0.8, 0.3), (0.3, 0.8)] {
                        let place = (Int(x * Double(bitmap.width)), Int(y * Double(bitmap.height)))
                        let red = Int((Double(place.0) + 0.5) / Double(bitmap.width) * 255)
                        let green = Int((Double(place.1) + 0.5) / Double(bitmap.height) * 255)
                        #expect(
                            zip(bitmap.pixel(place.0, place.1), isGray ? [red, red, red] : [red, green, 128])
                                .allSatisfy { abs($0 - $1) <= 3 }, "\(width)×\(height) in \(side) at \(x), \(y)")
                    }
                }
            }
        }
    }

    @Test("A picture at its own size is exact to the bit")
    func exact() throws {
        let file = Self.gradient(width: 256, height: 256, filter: SPNG_FILTER_CHOICE_ALL)
        let bitmap = try TestRun(mediaType: .png).rendered(file, into: "256x256").bitmaps[0]
        #expect((0..<256).allSatisfy { bitmap.pixel($0, 255 - $0) == [$0, 255 - $0, 128] })
    }

    @Test("Other kinds, unknown chunks and damage are declined")
    func declined() throws {
        let run = TestRun(mediaType: .png)
        let file = Self.gradient(width: 300, height: 200, filter: SPNG_FILTER_CHOICE_ALL)
        #expect(try !run.declines(file))
        // Depth, kind of colour, interlacing; a byte of the pixels, of their checksum; the signature.
        for (place, value) in [(24, 16), (25, 3), (25, 6), (28, 1), (file.count / 2, 0), (file.count - 18, 0), (1, 0)] {
            var other = file
            other[place] = other[place] == UInt8(value) ? 0x55 : UInt8(value)
            #expect(try run.declines(other), "byte \(place)")
        }
        for count in [0, 8, 30, 50, file.count / 2, file.count - 20] {
            #expect(try run.declines(Array(file.prefix(count))), "\(count) bytes")
        }
        for type in ["iCCP", "tRNS", "acTL", "eXIf", "PLTE"] {
            let chunk: [UInt8] = [0, 0, 0, 1] + Array(type.utf8) + [7, 0, 0, 0, 0]
            #expect(try run.declines(Array(file.prefix(33)) + chunk + file.dropFirst(33)), "\(type)")
        }
        // Sound, but rare: one colour that stands for transparency; an animation.
        #expect(try run.declines(MadePNG.inserting("tRNS", [0, 1, 0, 2, 0, 3], into: file)))
        #expect(try run.declines(MadePNG.inserting("acTL", [0, 0, 0, 2, 0, 0, 0, 0], into: file)))
    }
}
