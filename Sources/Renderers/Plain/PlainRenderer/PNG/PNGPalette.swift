/// A PNG's palette (11.2.2), with the alpha of each colour (11.3.1).
struct PNGPalette {
    /// Red, green, blue and alpha of 256 colours, so that any byte is an index.
    private(set) var entries: [UInt8]
    /// The number of colours that the file states.
    let count: Int
    private(set) var hasAlpha = false

    /// - Parameter body: red, green and blue of each colour.
    init(_ body: [UInt8]) throws(Declined) {
        guard !body.isEmpty, body.count % 3 == 0, body.count <= 768 else { throw Declined("an impossible palette") }
        count = body.count / 3
        entries = (0..<count).flatMap { body[$0 * 3..<$0 * 3 + 3] + [255] }
        entries += Array(repeating: 0, count: 1024 - entries.count)
    }

    /// - Parameter body: the alpha of the first colours; the others are opaque.
    mutating func setAlpha(_ body: [UInt8]) throws(Declined) {
        guard body.count <= count else { throw Declined("more transparency than colours") }
        for (index, alpha) in body.enumerated() { entries[index * 4 + 3] = alpha }
        hasAlpha = true
    }
}
