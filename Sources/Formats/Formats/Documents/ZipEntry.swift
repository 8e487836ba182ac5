/// A file in a ZIP archive, as its header describes it.
struct ZipEntry {
    let name: Bytes
    /// 0 stored, 8 deflated (APPNOTE 4.4.5).
    let method: UInt16
    let isEncrypted: Bool
    let compressedSize: UInt64
    /// The offset of its local header.
    let offset: Int64
}
