internal import CLinux
internal import Linux
public import Media
internal import RenderHost
internal import ThumbnailCache
public import Wire

extension SourceFile {
    /// Whether a text names content elsewhere rather than a file: `https://…` or `s3://…`.
    public static func isAddress(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("https://") || text.hasPrefix("s3://")
    }

    /// Opens content elsewhere, by a process that speaks to its server. Its bytes come as they are read.
    ///
    /// The cache knows the content by its address, without what signs it, and by the version that its server names. Content of
    /// which the server names no version is found there by nobody again.
    ///
    /// - Throws: `sourceMissing` where it is not there or may not be read, `tooLarge` beyond the target's bound, `unavailable`
    ///   where another try may succeed, `usage` for an address that is none, or that may not be asked.
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

    /// Tries whether the bucket of an address such as `s3://BUCKET/PREFIX` can be written, read and cleared.
    ///
    /// - Throws: `unavailable` with the remedy; `usage` for what the settings lack.
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

    /// The last part of the address, decoded: for messages, and for the extension that it may have.
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
