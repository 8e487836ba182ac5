/// Pixels of a rendition: sRGB, 8 bits per channel, RGB or RGBA (straight alpha), rows from the top.
///
/// A bitmap keeps the owner of its memory alive: an array, or a mapping that a renderer has filled.
public struct Bitmap: @unchecked Sendable {
    // Safe as Sendable: no thread writes to the memory once a bitmap covers it.
    /// Pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// Bytes from one row to the next; at least `width * channels`.
    public let bytesPerRow: Int
    /// 3 for RGB, 4 for RGBA.
    public let channels: Int
    private let base: UnsafeRawPointer
    private let owner: AnyObject

    /// Whether a pixel has a fourth channel, alpha.
    public var hasAlpha: Bool { channels == 4 }
    /// Width and height as one value.
    public var size: PixelSize { PixelSize(width: width, height: height) }

    /// A bitmap over memory that belongs to `owner`.
    ///
    /// - Precondition: `memory` holds at least `(height - 1) * bytesPerRow + width * channels` bytes.
    public init(
        over memory: UnsafeRawBufferPointer, owner: AnyObject, width: Int, height: Int, bytesPerRow: Int, channels: Int
    ) {
        precondition(channels == 3 || channels == 4, "RGB or RGBA")
        precondition(width > 0 && height > 0 && bytesPerRow >= width * channels, "a row holds its pixels")
        precondition(memory.count >= (height - 1) * bytesPerRow + width * channels, "the memory holds the rows")
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.channels = channels
        base = memory.baseAddress!
        self.owner = owner
    }

    /// A bitmap with its own copy of the bytes, without gaps between rows.
    ///
    /// - Precondition: `bytes.count == width * height * channels`.
    public init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
        precondition(bytes.count == width * height * channels, "as many bytes as the pixels have")
        let storage = Storage(bytes)
        self.init(
            over: UnsafeRawBufferPointer(storage.bytes), owner: storage, width: width, height: height,
            bytesPerRow: width * channels, channels: channels)
    }

    /// Lends the memory, starting at the first row.
    public func withUnsafeBytes<Result, Thrown: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Thrown) -> Result
    ) throws(Thrown) -> Result {
        defer { withExtendedLifetime(owner) {} }
        let byteCount = (height - 1) * bytesPerRow + width * channels
        return try body(UnsafeRawBufferPointer(start: base, count: byteCount))
    }

    private final class Storage {
        let bytes: UnsafeMutableRawBufferPointer

        init(_ array: [UInt8]) {
            bytes = .allocate(byteCount: array.count, alignment: 16)
            bytes.copyBytes(from: array)
        }

        deinit { bytes.deallocate() }
    }
}
