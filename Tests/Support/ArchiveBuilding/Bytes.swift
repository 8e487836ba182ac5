extension FixedWidthInteger {
    /// The bytes in little-endian order.
    var little: [UInt8] { Swift.withUnsafeBytes(of: littleEndian) { Array($0) } }
}

func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
