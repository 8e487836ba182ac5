/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2), which QuickTime calls an atom.
package struct ISOBox {
    /// The four-character code.
    package let type: String

    /// The range after the header, cut at the end of the enclosing box.
    package let payload: Range<Int64>

    /// Whether the stated size exceeds the enclosing box or the file.
    package let isCut: Bool
}
