/// The bounds of a form, without those of its files.
public struct MultipartLimits: Hashable, Sendable {
    /// The header of one part, and what may stand before the first part or behind the last.
    public var headerByteCount = 16 << 10
    /// All parts of a form, fields and files.
    public var partCount = 100
    /// The value of one field that is not a file.
    public var fieldByteCount = 64 << 10

    /// The usual bounds: 16 KiB, 100 parts, 64 KiB.
    public init() {}
}
