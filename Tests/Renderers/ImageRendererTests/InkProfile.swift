/// An ICC profile of inks (ICC.1:2001-04) written by the test itself.
enum InkProfile {
    /// A printer whose black ink alone can be seen: white without it, black with all of it. It has one table, `A2B0`.
    static let blackAlone: [UInt8] = {
        // lut8Type (6.5.8): two steps an ink, black's changing fastest; Lab in bytes.
        let identity = (0..<9).flatMap { number($0 % 4 == 0 ? 65536 : 0) }
        let line = [UInt8](0...255)
        let table = (0..<16).flatMap { [$0 % 2 == 0 ? 255 : 0, 128, 128] as [UInt8] }
        let lines = { (count: Int) in (0..<count).flatMap { _ in line } }
        let lut = Array("mft1".utf8) + [0, 0, 0, 0, 4, 3, 2, 0] + identity + lines(4) + table + lines(3)
        var header = [UInt8](repeating: 0, count: 128)
        header.replaceSubrange(8..<12, with: [2, 0x40, 0, 0])
        header.replaceSubrange(12..<24, with: "scnrCMYKLab ".utf8)
        header.replaceSubrange(36..<40, with: "acsp".utf8)
        header.replaceSubrange(68..<80, with: [63190, 65536, 54061].flatMap(number))
        header.replaceSubrange(0..<4, with: number(144 + lut.count))
        return header + number(1) + Array("A2B0".utf8) + number(144) + number(lut.count) + lut
    }()

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
