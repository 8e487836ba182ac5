/// The location of the documents' files.
public enum StoreAddress: Hashable, Sendable {
    /// A folder, absolute or relative to the working folder.
    case folder(String)
    /// A bucket of an S3-compatible store, and the prefix of all keys in it, which may be empty.
    case bucket(String, prefix: String)

    /// A place from a setting: a folder, or `s3://BUCKET/PREFIX`.
    ///
    /// - Returns: `nil` for any other address, and for a bucket without a name.
    init?(_ text: String) {
        guard text.hasPrefix("s3://") else {
            guard !text.contains("://") else { return nil }
            self = .folder(text)
            return
        }
        let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty else { return nil }
        self = .bucket(String(name), prefix: parts.count > 1 ? String(parts[1]) : "")
    }
}

extension StoreAddress: CustomStringConvertible {
    /// The place as a setting has it.
    public var description: String {
        switch self {
        case .folder(let path): path
        case .bucket(let name, let prefix): "s3://\(name)\(prefix.isEmpty ? "" : "/\(prefix)")"
        }
    }
}
