/// A Photoshop document without layers, written by hand after Adobe's specification.
struct MadePhotoshop {
    var width = 4
    var height = 3
    var depth = 8
    var mode = 3
    /// The numbers of each plane, row after row: bytes, or 16 bits, or floating point's 32; with 1 bit, whole rows' bytes.
    var planes: [[UInt32]]
    var isLarge = false
    var isPacked = false
    var palette: [UInt8] = []
    /// How many layers the document says it has; negative for a picture with transparency.
    var layerCount: Int16?
    /// A block behind the layers, as with 16 and 32 bits.
    var block: (key: String, content: [UInt8])?

    var bytes: [UInt8] {
        var bytes = Array("8BPS".utf8) + big(isLarge ? 2 : 1, 2) + big(0, 6) + big(planes.count, 2)
        bytes += big(height, 4) + big(width, 4) + big(depth, 2) + big(mode, 2)
        bytes += big(palette.count, 4) + palette + big(4, 4) + [9, 9, 9, 9] + layers
        bytes += big(isPacked ? 1 : 0, 2)
        return bytes + (isPacked ? packed : planes.flatMap { $0.flatMap(number) })
    }

    private var longCount: Int { isLarge ? 8 : 4 }

    private var layers: [UInt8] {
        var content: [UInt8] = []
        if let layerCount {
            content = big(4, longCount) + big(Int(layerCount), 2) + [0, 0]
        } else if let block {
            content = big(0, longCount) + big(0, 4) + Array("8BIM".utf8) + Array(block.key.utf8)
            content += big(block.content.count, isLarge ? 8 : 4) + block.content
        }
        return big(content.count, longCount) + content
    }

    private func number(_ value: UInt32) -> [UInt8] { big(Int(value), depth == 1 ? 1 : depth / 8) }

    /// Each row as runs of one byte, but for its last two bytes, which stand as they are.
    private var packed: [UInt8] {
        let rowCount = depth == 1 ? (width + 7) / 8 : width
        var rows: [[UInt8]] = []
        for plane in planes {
            for start in stride(from: 0, to: plane.count, by: rowCount) {
                let row: [UInt8] = plane[start..<start + rowCount].flatMap(number)
                var packed: [UInt8] = []
                for byte in row.dropLast(2) { packed += [0x80, 0, byte] }
                rows.append(packed + [UInt8(row.suffix(2).count - 1)] + row.suffix(2))
            }
        }
        return rows.flatMap { big($0.count, isLarge ? 4 : 2) } + rows.flatMap { $0 }
    }

    private func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { $0 > 7 ? 0 : UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
