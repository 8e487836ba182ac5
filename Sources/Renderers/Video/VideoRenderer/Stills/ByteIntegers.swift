/// Unsigned integers in either byte order at an offset, which must lie within the bytes.
extension [UInt8] {
    func little16(at place: Int) -> UInt16 { UInt16(self[place]) | UInt16(self[place + 1]) << 8 }

    func little32(at place: Int) -> UInt32 {
        UInt32(little16(at: place)) | UInt32(little16(at: place + 2)) << 16
    }

    func big16(at place: Int) -> UInt16 { UInt16(self[place]) << 8 | UInt16(self[place + 1]) }

    func big32(at place: Int) -> UInt32 { UInt32(big16(at: place)) << 16 | UInt32(big16(at: place + 2)) }
}

extension UInt32 {
    var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}
