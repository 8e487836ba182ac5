internal import CLinux
internal import Linux
public import Media
internal import RenderHost
internal import ThumbnailCache
public import Wire

extension SourceFile {
    /// Whether a text names remote content rather than a file: `https://…` or `s3://…`.
    public static func isAddress(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("https://") || text.hasPrefix("s3://")
    }

    /// Opens remote content through a process that talks to its server. Its bytes are fetched on demand.
    ///
    /// The cache knows the content by its address, without the signature, and by the version that its server states.
    /// Content without a stated version is never found there again.
    ///
    /// - Throws: `sourceMissing` if it does not exist or may not be read, `tooLarge` above the target's limit,
    ///   `unavailable` if a retry may succeed, `usage` for an address that is not valid or may not be requested.
    public static func fetched(_ target: FetchTarget) throws(Failure) -> SourceFile {
        guard target.address.utf8.count <= Wire.longestText else {
            throw Failure(.usage, message: "The address is longer than \(Wire.longestText) bytes.")
        }
        let content = try FetchProcess(target)
        guard content.byteCount > 0 else { return try empty(named: name(of: target.address)) }
        let version = content.version ?? "\(UInt64.random(in: .min ... .max))\(UInt64.random(in: .min ... .max))"
        let key = StatKey(ofAddress: identity(of: target), version: version, byteCount: content.byteCount)
        let source = try RangedSource(content, folder: temporaryFolder ?? "/var/tmp")
        return try SourceFile(name: name(of: target.address), ranged: source, key: .local(key))
    }

    /// Tests whether the bucket of an address such as `s3://BUCKET/PREFIX` can be written, read and cleared.
    ///
    /// - Throws: `unavailable` with the remedy; `usage` if settings are missing.
    public static func probeBucket(_ target: FetchTarget) throws(Failure) { try FetchProcess.probe(target) }

    private static func empty(named name: String) throws(Failure) -> SourceFile {
        let file: Descriptor
        do throws(SystemError) {
            file = try MemoryFile.unsized(name: "source")
            try MemoryFile.seal(file)
        } catch {
            throw Failure(.unavailable, detail: "\(error)")
        }
        return try .opened(file, name: name)
    }

    /// The last part of the address, decoded: for messages, and for its extension, if any.
    private static func name(of address: String) -> String {
        let path = withoutQuery(address)
        let last = path.split(separator: "/").last ?? path[...]
        guard address.hasPrefix("https://") else { return String(last) }
        var bytes: [UInt8] = []
        var rest = Array(last.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func identity(of target: FetchTarget) -> String {
        let isWeb = target.address.hasPrefix("https://")
        let address = isWeb ? AddressSignature.removed(from: target.address) : target.address
        return target.storeEndpoint.map { "\($0) \(address)" } ?? address
    }

    private static func withoutQuery(_ address: String) -> Substring {
        address.hasPrefix("https://") ? address.prefix { $0 != "?" && $0 != "#" } : address[...]
    }
}
