/// The limits of a form, without those of its files.
public struct MultipartLimits: Hashable, Sendable {
    /// The size limit of one part's header, and of the text before the first part or after the last.
    public var headerByteCount = 16 << 10
    /// The number of all parts of a form, fields and files.
    public var partCount = 100
    /// The size limit of the value of one field that is not a file.
    public var fieldByteCount = 64 << 10

    /// The default limits: 16 KiB, 100 parts, 64 KiB.
    public init() {}
}
