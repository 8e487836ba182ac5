/// Files in a cache's folder that are not the cache's: they stay, and are named.
public struct ForeignFiles: Hashable, Sendable {
    /// How many there are.
    public private(set) var count = 0
    /// The paths of the first hundred, for people; of files in a bucket the names there.
    public private(set) var paths: [String] = []

    private static let mostPaths = 100

    init() {}

    mutating func note(_ path: String) {
        count += 1
        if paths.count < Self.mostPaths { paths.append(path) }
    }
}
