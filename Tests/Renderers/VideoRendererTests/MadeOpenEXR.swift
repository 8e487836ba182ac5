/// Builds an OpenEXR file of one part, rows without compression, 32-bit floating point (OpenEXR file layout, 2023).
struct MadeOpenEXR {
    var width = 4
    var height = 3
    /// Channels in alphabetical order, as files have them: the name, and the sample of the pixel at (x, y).
    var channels: [(name: String, value: (Int, Int) -> Float)]
    /// The columns and rows that are stored; `nil` for all that is shown.
    var stored: (x: ClosedRange<Int>, y: ClosedRange<Int>)?
    var compression: UInt8 = 0

    var bytes: [UInt8] {
        let (columns, rows) = stored ?? (0...width - 1, 0...height - 1)
        let list: [UInt8] = channels.flatMap { text($0.name) + [2, 0, 1, 1].flatMap(little) } + [0]
        var header: [UInt8] = [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0]
        header += attribute("channels", "chlist", list)
        header += attribute("compression", "compression", [compression])
        let window = [columns.lowerBound, rows.lowerBound, columns.upperBound, rows.upperBound].flatMap(little)
        header += attribute("dataWindow", "box2i", window)
        header += attribute("displayWindow", "box2i", [0, 0, width - 1, height - 1].flatMap(little))
        header += attribute("lineOrder", "lineOrder", [0])
        header += attribute("pixelAspectRatio", "float", little(Int(Float(1).bitPattern)))
        header += attribute("screenWindowCenter", "v2f", little(0) + little(0))
        header += attribute("screenWindowWidth", "float", little(Int(Float(1).bitPattern))) + [0]
        let lines = rows.map { y in
            let numbers = channels.flatMap { channel in columns.map { channel.value($0, y) } }
            return little(y) + little(numbers.count * 4) + numbers.flatMap { little(Int($0.bitPattern)) }
        }
        var place = header.count + lines.count * 8
        var table: [UInt8] = []
        for line in lines {
            table += little(place) + little(0)
            place += line.count
        }
        return header + table + lines.flatMap { $0 }
    }

    private func attribute(_ name: String, _ type: String, _ value: [UInt8]) -> [UInt8] {
        text(name) + text(type) + little(value.count) + value
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    private func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
}
