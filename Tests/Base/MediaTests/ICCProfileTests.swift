import Media
import TestDeadline
import Testing

@Suite("The properties of an ICC profile", .deadline)
struct ICCProfileTests {
    /// A profile of version 2 (ICC.1:2001-04) with a name, the columns of red, green and blue, and one curve.
    static func bytes(name: String, columns: [[Double]], curve: [UInt8], tables: [String] = []) -> [UInt8] {
        var tags: [(String, [UInt8])] = []
        tags.append(("desc", text("desc") + zeros(4) + number(name.utf8.count + 1) + text(name) + zeros(1)))
        for (letter, column) in zip(["r", "g", "b"], columns) {
            tags.append((letter + "XYZ", text("XYZ ") + zeros(4) + column.flatMap { number(Int($0 * 65536)) }))
            tags.append((letter + "TRC", curve))
        }
        tags += tables.map { ($0, text("mft2")) }
        var directory = number(tags.count)
        var body: [UInt8] = []
        for (signature, data) in tags {
            directory += text(signature) + number(132 + 12 * tags.count + body.count) + number(data.count)
            body += data + zeros((4 - data.count % 4) % 4)
        }
        var header = zeros(128)
        header.replaceSubrange(16..<20, with: text("RGB "))
        header.replaceSubrange(36..<40, with: text("acsp"))
        return header + directory + body
    }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    /// sRGB's (IEC 61966-2-1) primaries adapted to D50, as every maker's profile has them.
    static let standard = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
    static let displayP3 = [[0.5151, 0.2412, -0.0011], [0.2919, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]]
    /// `curv` with one entry: an exponent of 2.2; without any: light itself.
    static let exponent: [UInt8] = text("curv") + zeros(4) + number(1) + [2, 51]
    static let line: [UInt8] = text("curv") + zeros(4) + number(0)
    /// `para` of function 3 with sRGB's five numbers.
    static let parametric: [UInt8] = {
        let parameters: [Double] = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        let head: [UInt8] = text("para") + [0, 0, 0, 0, 0, 3, 0, 0]
        return head + parameters.flatMap { number(Int($0 * 65536)) }
    }()

    @Test(
        "Numbers make sRGB, under whatever name", arguments: ["sRGB IEC61966-2.1", "c2", ""], [exponent, parametric])
    func numbersDecide(name: String, curve: [UInt8]) throws {
        let profile = try #require(ICCProfile(Self.bytes(name: name, columns: Self.standard, curve: curve)))
        #expect(profile.spaceName == "srgb")
    }

    @Test("A profile that is sRGB by its name alone is converted: pictures with such profiles had wrong colours")
    func nameAloneDoesNot() throws {
        let wide = try #require(ICCProfile(Self.bytes(name: "sRGB", columns: Self.displayP3, curve: Self.parametric)))
        #expect(wide.spaceName == "icc-rgb")
        let light = try #require(ICCProfile(Self.bytes(name: "sRGB", columns: Self.standard, curve: Self.line)))
        #expect(light.spaceName == "icc-rgb")
        let tables = Self.bytes(name: "sRGB", columns: Self.standard, curve: Self.parametric, tables: ["A2B0"])
        #expect(try #require(ICCProfile(tables)).spaceName == "icc-rgb")
    }

    @Test("A profile whose only table is perceptual has no other intent")
    func intents() throws {
        func profile(_ tables: [String]) throws -> ICCProfile {
            try #require(
                ICCProfile(Self.bytes(name: "x", columns: Self.standard, curve: Self.exponent, tables: tables)))
        }
        #expect(try profile([]).hasRelativeIntent)
        #expect(try profile(["A2B0", "A2B1"]).hasRelativeIntent)
        #expect(try !profile(["A2B0"]).hasRelativeIntent)
    }

    @Test("Truncated profiles and offsets far beyond the end are accepted without a crash")
    func hostile() {
        let whole = Self.bytes(name: "x", columns: Self.standard, curve: Self.parametric)
        for count in 0...whole.count { _ = ICCProfile(Array(whole.prefix(count)))?.spaceName }
        var far = whole
        for index in 0..<7 {
            let place = 132 + index * 12 + 4
            far.replaceSubrange(place..<place + 4, with: [255, 255, 255, 255])
        }
        #expect(ICCProfile(far)?.isStandard == false)
    }
}
