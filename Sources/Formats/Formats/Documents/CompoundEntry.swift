/// An entry of a compound file's directory ([MS-CFB] 2.6.1).
struct CompoundEntry {
    enum Kind: UInt8 {
        case storage = 1
        case stream = 2
        case root = 5
    }

    static let byteCount = 128
    static let highestIndex: UInt32 = 0x00FF_FFFF

    let name: String
    let kind: Kind
    let left: UInt32
    let right: UInt32
    let child: UInt32
    let firstSector: UInt32
    let byteCount: UInt64

    /// Reads an entry of 128 bytes; `nil` if it is free or invalid.
    init?(_ bytes: Bytes) {
        guard let nameSize = bytes.little(UInt16.self, at: 64), nameSize <= 64,
            let kind = bytes[66].flatMap(Kind.init(rawValue:)),
            let left = bytes.little(UInt32.self, at: 68), let right = bytes.little(UInt32.self, at: 72),
            let child = bytes.little(UInt32.self, at: 76), let firstSector = bytes.little(UInt32.self, at: 116),
            let size = bytes.little(UInt32.self, at: 120)
        else { return nil }
        // UTF-16 with a zero at the end.
        let units = (0..<max(0, Int(nameSize) / 2 - 1)).compactMap { bytes.little(UInt16.self, at: $0 * 2) }
        name = String(decoding: units, as: UTF16.self)
        self.kind = kind
        self.left = left
        self.right = right
        self.child = child
        self.firstSector = firstSector
        // With sectors of 512 bytes the upper half may hold garbage.
        byteCount = UInt64(size)
    }
}
