/// The limits for one file. The failure of each limit names the limit and the setting that raises it.
public struct Limits: Hashable, Sendable {
    /// Wall-clock time for one file, enforced by the host.
    public var wallTime: Duration = .seconds(20)

    /// Private memory of a child, in bytes (`RLIMIT_DATA`). libheif needs 540 MiB for a 20-megapixel 10-bit AVIF.
    public var memoryByteCount: UInt64 = 768 << 20

    /// Pixels of a picture that is decoded in strips, or from its first scan: baseline and progressive JPEG, PNG
    /// without interlacing, TIFF in strips.
    public var streamedPixelCount: UInt64 = 300_000_000

    /// Pixels of a picture that must be entirely in memory: interlaced PNG, GIF, WebP, HEIC, AVIF, JPEG 2000, JPEG XL.
    public var wholePixelCount: UInt64 = 120_000_000

    /// Pixels of one video frame.
    public var framePixelCount: UInt64 = 70_000_000

    /// Streams in a container.
    public var streamCount: UInt32 = 64

    /// Bytes that may be read from a container to find a poster frame.
    public var posterReadByteCount: UInt64 = 256 << 20

    /// The default limits.
    public init() {}
}
