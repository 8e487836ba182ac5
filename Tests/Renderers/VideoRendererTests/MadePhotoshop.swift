/// Builds a Photoshop document without layers (Adobe Photoshop File Formats Specification, 2019).
struct MadePhotoshop {
    var width = 4
    var height = 3
    var depth = 8
    var mode = 3
    /// The samples of each plane, row after row, of 8, 16 or 32 bits; with a depth of 1, the bytes of the rows.
    var planes: [[UInt32]]
    var isLarge = false
    var isPacked = false
    var palette: [UInt8] = []
    /// The stated count of layers; negative where the picture has alpha.
    var layerCount: Int16?
    /// A block behind the layers, as documents of 16 and 32 bits have.
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

    /// PackBits: each byte as a run of one behind a no-operation, and the last two bytes as literals.
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
