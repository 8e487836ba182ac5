import Media
import TestDeadline
import Testing

@Suite("JSON", .deadline)
struct JSONTests {
    @Test("Numbers are written with as few digits as tell them from all others")
    func numbers() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let values = [
                Double(Int.random(in: 0...2_000_000, using: &random)) / 100, .random(in: -10...2000, using: &random),
                Double(Int.random(in: 0...3000, using: &random)),
            ]
            for value in values { #expect(JSON.number(value).text == String(value)) }
            let integer = Int64.random(in: -20...2_000_000, using: &random)
            #expect(JSON.integer(integer).text == String(integer))
        }
        for value in [
            0, -0.0, 0.01, 0.1, 999_999.99, 1_000_000.01, 1e16, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ] {
            #expect(JSON.number(value).text == String(value))
        }
        #expect([JSON.number(.nan), .number(-.infinity)].map(\.text) == ["null", "null"])
    }

    @Test("A number is read as the nearest one, however many digits it has")
    func readsNumbers() throws {
        for _ in 0..<20_000 {
            let digits = String(UInt64.random(in: 0...UInt64.max >> UInt64.random(in: 0..<64)))
            let place = digits.index(digits.startIndex, offsetBy: Int.random(in: 1...digits.count))
            let fraction = "\(digits[..<place]).\(digits[place...])5"
            for text in [digits, fraction] {
                let expected = Int64(text).map(JSON.integer) ?? .number(Double(text)!)
                // Alone, and before another byte.
                #expect(try JSON(parsing: Array(text.utf8)) == expected)
                #expect(try JSON(parsing: Array("[\(text),-\(text)]".utf8)).array?.first == expected)
            }
        }
        for text in [
            "1e3", "1.5e-3", "0.30000000000000004", "9007199254740993", "999999999999999.9", "123456789.123456",
        ] {
            let expected = Int64(text).map(JSON.integer) ?? .number(Double(text)!)
            #expect(try JSON(parsing: Array("[\(text)]".utf8)) == .array([expected]))
        }
    }

    @Test("A value is equal after it is written and read")
    func roundTrip() throws {
        let value: JSON = .object([
            "a": .array([.null, .bool(true), .bool(false), .integer(-5), .number(0.1), .string("é\"\\\n\t\u{1}😀")]),
            "b": .object(["nested": .string("")]), "absent": nil,
        ])
        #expect(try JSON(parsing: Array(value.text.utf8)) == value)
    }

    @Test("Every character is written as it is, or escaped where it is a control character, a quote or a backslash")
    func escapes() throws {
        for value in (0..<0x250).compactMap(Unicode.Scalar.init) + ["€", "😀", "\u{10FFFF}"] {
            let isControl = value.value < 0x20 || (0x7F..<0xA0).contains(value.value)
            let expected =
                switch value {
                case "\"": #"\""#
                case "\\": #"\\"#
                case "\n": #"\n"#
                case "\t": #"\t"#
                default: isControl ? #"\u00"# + Hex.string([UInt8(value.value)]) : String(value)
                }
            // Alone, and between others of one, two and four bytes.
            for (before, after) in [("", ""), ("a", "b"), ("é", "\u{A0}"), ("😀", "\u{80}")] {
                let text = JSON.string(before + String(value) + after).text
                let end = after == "\u{80}" ? #"\u0080"# : after
                #expect(text.utf8.elementsEqual("\"\(before)\(expected)\(end)\"".utf8))
            }
        }
    }

    @Test("All texts that RFC 8259 allows are read")
    func reads() throws {
        let value = try JSON(parsing: Array(#" { "k" : [ 1 , -2.5e3, "\u00e9\ud83d\ude00\/" , [ ] , { } ] } "#.utf8))
        #expect(value["k"]?.array == [.integer(1), .number(-2500), .string("é😀/"), .array([]), .object([])])
    }

    @Test(
        "What it does not allow is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "nul", "tru e", "\"", "\"\\x\"", "\"\\ud800\"", "\"\u{1}\"",
            "1 2",
            "[1", "--1", "01x", "1e999", "{1:2}", "\"\\u12g4\"",
        ])
    func refuses(text: String) { #expect(throws: JSON.ParseError.self) { try JSON(parsing: Array(text.utf8)) } }

    @Test("Invalid UTF-8 and endless nesting are rejected")
    func hostile() {
        #expect(throws: JSON.ParseError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSON.ParseError.self) { try JSON(parsing: Array(repeating: UInt8(ascii: "["), count: 100_000)) }
    }

    @Test("Facts are equal after they are written and read, and absent ones stay absent")
    func facts() {
        var facts = Facts(mediaType: .mp4, byteCount: 12)
        facts.width = 1920
        facts.duration = 10.5
        facts.title = "A “title”"
        facts.poster = Facts.Poster(time: 0, reason: "first")
        #expect(Facts(json: facts.json) == facts)
        #expect(facts.json["pageCount"] == nil)
    }
}
