internal import Formats
internal import Media

/// A grey picture as the host sends it: a binary PGM file of 8 bits (Netpbm's pgm(5)), `P5 <width> <height> 255`,
/// without comments.
struct GreyPicture {
    let width: Int
    let height: Int
    /// Rows from the top, without gaps.
    let pixels: ArraySlice<UInt8>

    /// An A3 page at 300 pixels per inch has 17 million.
    private static let mostPixels = 40_000_000

    /// - Throws: `corrupt` if it is not such a picture; `tooLarge`.
    init(_ source: Source) throws(Failure) {
        guard source.byteCount <= Int64(Self.mostPixels + 64) else {
            throw Failure(.tooLarge, detail: "more than \(Self.mostPixels) pixels")
        }
        let bytes = try source.bytes(at: 0, count: Int(source.byteCount))
        var numbers: [Int] = []
        var index = 2
        while numbers.count < 3, index < min(bytes.count, 64) {
            // One byte of white space before each number and after the last.
            index += 1
            var number = 0
            while index < min(bytes.count, 64), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
                number = min(1 << 20, number * 10 + Int(bytes[index] - UInt8(ascii: "0")))
                index += 1
            }
            numbers.append(number)
        }
        guard bytes.starts(with: [UInt8(ascii: "P"), UInt8(ascii: "5")]), numbers.count == 3, numbers[2] == 255,
            numbers[0] > 0, numbers[1] > 0, bytes.count - (index + 1) >= numbers[0] * numbers[1]
        else { throw Failure(.corrupt, detail: "no grey picture of the host") }
        (width, height) = (numbers[0], numbers[1])
        pixels = bytes[(index + 1)...].prefix(width * height)
    }
}
