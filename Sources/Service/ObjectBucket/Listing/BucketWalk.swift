internal import Objects
internal import S3

/// A walk through the folders of a store in the order of the paths' bytes, whatever the store's own order is.
struct BucketWalk {
    private let client: S3Client
    private let keys: BucketKeys
    private let prefix: [UInt8]
    private let after: [UInt8]
    private let limit: Int
    private(set) var found: [ObjectStatus] = []

    init(_ client: S3Client, _ keys: BucketKeys, prefix: String, after: ObjectPath?, limit: Int) {
        self.client = client
        self.keys = keys
        self.prefix = Array(prefix.utf8)
        self.after = after.map { Array($0.text.utf8) } ?? []
        self.limit = limit
    }

    /// - Parameter folder: its path with a slash at its end; empty for the uppermost.
    mutating func visit(_ folder: String) throws(ObjectError) {
        if found.count >= limit { return }
        // An item is an object, or a folder with a slash at its end: so the order is that of the paths below them.
        var items: [(path: String, entry: S3Page.Entry?)] = []
        var token: String?
        repeat {
            let page = try asking { () throws(S3Fault) in
                try client.list(
                    prefix: keys.files + narrowed(folder), after: nil, delimiter: "/", limit: 1000, token: token)
            }
            items += page.entries.map { (path(ofKey: $0.key), $0) } + page.prefixes.map { (path(ofKey: $0), nil) }
            token = page.next
        } while token != nil
        items = items.filter { isWanted(Array($0.path.utf8), isFolder: $0.entry == nil) && $0.path != folder }
        for item in items.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
            if found.count >= limit { return }
            if let entry = item.entry {
                guard let path = keys.path(ofKey: entry.key) else { continue }
                found.append(ObjectStatus(path: path, byteCount: entry.byteCount, modified: entry.modified))
            } else {
                try visit(item.path)
            }
        }
    }

    private func path(ofKey key: String) -> String {
        String(decoding: key.utf8.dropFirst(keys.files.utf8.count), as: UTF8.self)
    }

    /// The folder, with the beginning of the names in it that the prefix asks for.
    private func narrowed(_ folder: String) -> String {
        guard prefix.count > folder.utf8.count, prefix.starts(with: folder.utf8) else { return folder }
        let rest = prefix[folder.utf8.count...].prefix { $0 != UInt8(ascii: "/") }
        return folder + String(decoding: rest, as: UTF8.self)
    }

    private func isWanted(_ path: [UInt8], isFolder: Bool) -> Bool {
        guard path.starts(with: prefix) || (isFolder && prefix.starts(with: path)) else { return false }
        return after.lexicographicallyPrecedes(path) || (isFolder && after.starts(with: path))
    }
}
