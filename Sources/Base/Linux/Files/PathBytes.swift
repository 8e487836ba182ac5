/// Paths as the kernel sees them: bytes, in which only `/` separates names.
///
/// Swift compares text by canonical equivalence, and treats `/` with a combining mark as another character. Files that
/// differ by Unicode normalisation would be equal, and names would not end at the kernel's separator.
public enum PathBytes {
    /// The names of a path, without empty ones.
    public static func components(of path: String) -> [Substring] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
    }

    /// Whether two names or paths are the same bytes.
    public static func areEqual(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }

    /// Whether a path begins at the root.
    public static func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }
}
