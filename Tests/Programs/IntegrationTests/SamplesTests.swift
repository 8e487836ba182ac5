import CSpng
import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Every sample yields what its manifest says", .deadline)
struct SamplesTests {
    /// A line of samples/MANIFEST.tsv, whose facts are known from how the samples were made.
    struct Sample: CustomTestStringConvertible {
        let name: String
        let mediaType: String
        let outcome: String
        let facts: [(key: String, value: String)]
        let look: String

        var testDescription: String { name }

        static let all: [Sample] = {
            let text = try! String(contentsOfFile: Checkout.sample("MANIFEST.tsv"), encoding: .utf8)
            return text.split(separator: "\n").dropFirst().map { line in
                let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                let facts = columns[4].split(separator: ";").map { pair in
                    let parts = pair.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
                    return (key: String(parts[0]), value: String(parts[1]))
                }
                return Sample(
                    name: columns[0], mediaType: columns[2], outcome: columns[3], facts: facts, look: columns[5])
            }
        }()
    }

    /// All samples in one call, as PNG files of at most 256 × 256 and as lines of JSON.
    private static let outcomes: (json: [JSON], pictures: [String: Picture]) = {
        let program = try! CompassProgram()
        defer { program.remove() }
        mkdir(program.path("out"), 0o755)
        let names = Sample.all.map { Checkout.sample($0.name) }
        let output = try! program.run(
            ["thumb", "--json", "--size", "256", "--format", "png"] + names + [
                "-o", program.path("out") + "/{name}.png",
            ])
        var pictures: [String: Picture] = [:]
        for sample in Sample.all {
            let path = program.path("out/\(sample.name).png")
            if let data = FileManager.default.contents(atPath: path) { pictures[sample.name] = Picture(png: data) }
        }
        return (output.json, pictures)
    }()

    @Test("The manifest names every sample, and every sample is under the manifest's digest")
    func complete() throws {
        let others: Set<String> = ["MANIFEST.tsv", "README.md", "make", "generator", "jobs"]
        let files = try FileManager.default.contentsOfDirectory(atPath: Checkout.sample(""))
        #expect(Set(files).subtracting(others) == Set(Sample.all.map(\.name)))
        #expect(Sample.all.count > 60)
        #expect(Self.outcomes.json.count == Sample.all.count)
    }

    @Test("Media type, outcome and facts", arguments: Sample.all)
    func facts(sample: Sample) throws {
        let line = try #require(Self.outcomes.json.first { $0["source"]?.string == Checkout.sample(sample.name) })
        let failure = line["failure"]?["code"]?.string
        switch sample.outcome {
        case "rendition", "icon": #expect(failure == nil)
        default: #expect(failure == sample.outcome)
        }
        // An empty file has no media type.
        guard sample.mediaType != "inode/x-empty" else { return }
        #expect(line["facts"]?["mediaType"]?.string == sample.mediaType)
        for (key, value) in sample.facts where !(key == "orientation" && value == "1") {
            let fact = line["facts"]?[key]
            if let expected = Double(value) {
                let found = try #require(fact?.number, "\(key)")
                #expect(abs(found - expected) <= (key == "duration" ? 0.1 : 0.01 * expected + 0.01), "\(key)")
            } else if let expected = Bool(value) {
                #expect(fact?.bool == expected, "\(key)")
            } else {
                #expect(fact?.string == value, "\(key)")
            }
        }
    }

    @Test(
        "The card is upright: each corner has its colour",
        arguments: Sample.all.filter { $0.look.hasPrefix("F upright, red") })
    func corners(sample: Sample) throws {
        let picture = try #require(Self.outcomes.pictures[sample.name])
        // A film in HDR may come out brighter than the card was; its hues must hold.
        let tolerance = sample.name == "hdr10.mp4" ? 100 : sample.name == "cmyk.jpg" ? 80 : 48
        let corners: [(x: Double, y: Double, colour: [Int])] = [
            (0.03, 0.05, [220, 30, 30]), (0.97, 0.05, [20, 160, 60]), (0.03, 0.95, [30, 60, 210]),
            (0.97, 0.95, [240, 200, 20]),
        ]
        for corner in corners {
            let found = picture.colour(corner.x, corner.y)
            let distance = zip(found, corner.colour).map { abs($0 - $1) }.max()!
            #expect(distance <= tolerance, "(\(corner.x), \(corner.y)) is \(found), not \(corner.colour)")
        }
    }

    @Test(
        "Pictures of one card in different formats are alike",
        arguments: [
            "deep-16bit.png", "display-p3.jpg", "card.heic", "card.avif", "card.jp2", "card.jxl", "card.webp",
            "orientation-2.jpg", "orientation-3.jpg", "orientation-4.jpg", "orientation-5.jpg", "orientation-6.jpg",
            "orientation-7.jpg", "orientation-8.jpg",
        ])
    func alike(name: String) throws {
        let reference = try #require(Self.outcomes.pictures["orientation-1.jpg"])
        let picture = try #require(Self.outcomes.pictures[name])
        #expect(picture.width == reference.width && picture.height == reference.height)
        #expect(picture.meanDistance(to: reference) < 6)
    }
}

/// A decoded PNG: RGB, 8 bits.
struct Picture {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    init(png: Data) {
        let context = spng_ctx_new(0)!
        defer { spng_ctx_free(context) }
        var header = spng_ihdr()
        var size = 0
        let encoded = [UInt8](png)
        bytes = encoded.withUnsafeBytes { buffer in
            spng_set_png_buffer(context, buffer.baseAddress, buffer.count)
            spng_get_ihdr(context, &header)
            spng_decoded_image_size(context, Int32(SPNG_FMT_RGB8.rawValue), &size)
            var decoded = [UInt8](repeating: 0, count: size)
            spng_decode_image(context, &decoded, size, Int32(SPNG_FMT_RGB8.rawValue), 0)
            return decoded
        }
        width = Int(header.width)
        height = Int(header.height)
    }

    /// The colour at a part of width and height.
    func colour(_ x: Double, _ y: Double) -> [Int] {
        let at = (min(height - 1, Int(y * Double(height))) * width + min(width - 1, Int(x * Double(width)))) * 3
        return bytes[at..<at + 3].map(Int.init)
    }

    /// The mean absolute difference of all channels, of 255.
    func meanDistance(to other: Picture) -> Double {
        guard bytes.count == other.bytes.count, !bytes.isEmpty else { return 255 }
        return zip(bytes, other.bytes).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(bytes.count)
    }
}
