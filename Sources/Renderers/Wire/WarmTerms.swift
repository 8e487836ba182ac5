public import Media

/// The conditions under which one host may work for another: the same request then gives the same renditions in the same
/// place, within the same limits.
public struct WarmTerms: Hashable, Sendable {
    /// The version of the programs.
    public var version: String
    /// The fingerprint of the renderers' programs.
    public var renderers: UInt64
    /// The device of the cache's folder.
    public var cacheDevice: UInt64
    /// The inode of the same folder.
    public var cacheInode: UInt64
    /// The limits of one source.
    public var limits: Limits
    /// The size from which a source is cached under its stat key, in bytes.
    public var maxUnhashedByteCount: Int64
    /// Whether nothing is opened in an incomplete sandbox.
    public var requiresSandbox: Bool

    /// The terms of one host.
    public init(
        version: String, renderers: UInt64, cacheDevice: UInt64, cacheInode: UInt64, limits: Limits,
        maxUnhashedByteCount: Int64, requiresSandbox: Bool
    ) {
        self.version = version
        self.renderers = renderers
        self.cacheDevice = cacheDevice
        self.cacheInode = cacheInode
        self.limits = limits
        self.maxUnhashedByteCount = maxUnhashedByteCount
        self.requiresSandbox = requiresSandbox
    }

    /// The reason why a host with these terms does not serve a host with `other`; `nil` if it does.
    ///
    /// A host with stricter sandbox rules may serve a less strict one.
    public func refusal(of other: WarmTerms) -> String? {
        if version != other.version || renderers != other.renderers { return "its programs are of another build" }
        if cacheDevice != other.cacheDevice || cacheInode != other.cacheInode { return "it has another cache" }
        if limits != other.limits || maxUnhashedByteCount != other.maxUnhashedByteCount {
            return "it has other limits"
        }
        if other.requiresSandbox && !requiresSandbox { return "it does not require the whole sandbox" }
        return nil
    }
}

extension WireWriter {
    mutating func write(_ terms: WarmTerms) {
        write(terms.version)
        for number in [terms.renderers, terms.cacheDevice, terms.cacheInode] { write(number) }
        write(terms.limits)
        // `write(_: Limits)` keeps only whole seconds.
        write(Int64(terms.limits.wallTime.wholeMilliseconds))
        write(terms.maxUnhashedByteCount)
        write(terms.requiresSandbox)
    }
}

extension WireReader {
    mutating func terms() throws(WireError) -> WarmTerms {
        let version = try text()
        let (renderers, device, inode): (UInt64, UInt64, UInt64) = (try integer(), try integer(), try integer())
        var limits = try limits()
        limits.wallTime = .milliseconds(try integer(Int64.self))
        return WarmTerms(
            version: version, renderers: renderers, cacheDevice: device, cacheInode: inode, limits: limits,
            maxUnhashedByteCount: try integer(), requiresSandbox: try bool())
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
