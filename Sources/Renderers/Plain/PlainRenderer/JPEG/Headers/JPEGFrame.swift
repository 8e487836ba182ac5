internal import Media

/// A frame header (ITU-T T.81, clause B.2.2): the picture's size, its components and their sampling factors.
struct JPEGFrame {
    let size: PixelSize
    let isProgressive: Bool
    /// One or three.
    let components: [Component]

    /// A component's parameters in the frame header.
    struct Component {
        let identifier: UInt8
        /// The horizontal sampling factor H, 1...4: the number of its blocks side by side in an MCU of an interleaved
        /// scan.
        let across: Int
        /// The vertical sampling factor V, 1...4.
        let down: Int
        /// The index of its quantization table.
        let table: Int
    }

    /// The largest horizontal sampling factor.
    var across: Int { components.map(\.across).max()! }
    /// The largest vertical sampling factor.
    var down: Int { components.map(\.down).max()! }

    /// The MCUs of an interleaved scan in a row of the picture.
    var mcusAcross: Int { (size.width + 8 * across - 1) / (8 * across) }
    /// The MCUs of an interleaved scan in a column of the picture.
    var mcusDown: Int { (size.height + 8 * down - 1) / (8 * down) }

    init(_ body: [UInt8], isProgressive: Bool) throws(Declined) {
        guard body.count >= 9, body[0] == 8 else { throw Declined("a depth other than 8") }
        size = PixelSize(width: Int(body[3]) << 8 | Int(body[4]), height: Int(body[1]) << 8 | Int(body[2]))
        let count = Int(body[5])
        guard size.width > 0, size.height > 0, count == 1 || count == 3, body.count == 6 + 3 * count else {
            throw Declined("\(count) components of \(size)")
        }
        components = (0..<count).map { index in
            let entry = body[(6 + 3 * index)...].prefix(3)
            let (identifier, stated, table) = (entry.first!, entry.dropFirst().first!, entry.last!)
            // In a frame with one component an MCU is one block, whatever its factors (clause A.2.2).
            let isPossible = (1...4).contains(stated >> 4) && (1...4).contains(stated & 15)
            let factors = count == 1 && isPossible ? 0x11 : stated
            return Component(
                identifier: identifier, across: Int(factors >> 4), down: Int(factors & 15), table: Int(table))
        }
        self.isProgressive = isProgressive
        guard components.allSatisfy({ (1...4).contains($0.across) && (1...4).contains($0.down) && $0.table < 4 }) else {
            throw Declined("sampling factors")
        }
    }
}
