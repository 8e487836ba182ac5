/// Files in a cache's folder that do not belong to the cache: they stay, and are reported.
public struct ForeignFiles: Hashable, Sendable {
    /// The number of such files.
    public private(set) var count = 0
    /// The paths of the first hundred, for people; for files in a bucket, their names there.
    public private(set) var paths: [String] = []

    private static let mostPaths = 100

    init() {}

    mutating func note(_ path: String) {
        count += 1
        if paths.count < Self.mostPaths { paths.append(path) }
    }
}
