internal import Objects
internal import S3

/// A walk through the folders of a store in the order of the paths' bytes, whatever the store's own order is. Each folder is listed once,
/// when the walk comes to it.
final class BucketWalk: ObjectWalk {
    private let client: S3Client
    private let keys: BucketKeys
    private let prefix: [UInt8]
    private let after: [UInt8]
    /// What was listed and is still to be visited, the next one last.
    private var waiting: [Item]

    /// An object, or a folder, whose path has a slash at its end: so the order is that of the paths below them.
    private struct Item {
        let path: String
        /// `nil` for a folder.
        let entry: S3Page.Entry?
    }

    init(_ client: S3Client, _ keys: BucketKeys, prefix: String, after: ObjectPath?) {
        self.client = client
        self.keys = keys
        self.prefix = Array(prefix.utf8)
        self.after = after.map { Array($0.text.utf8) } ?? []
        waiting = [Item(path: "", entry: nil)]
    }

    /// Whether nothing is left to be visited.
    var isOver: Bool { waiting.isEmpty }

    func next(_ limit: Int) throws(ObjectError) -> [ObjectStatus]? {
        if isOver { return nil }
        var found: [ObjectStatus] = []
        while found.count < limit, let item = waiting.last {
            // A folder that cannot be listed stays the next one.
            let items = item.entry == nil ? try items(of: item.path) : []
            waiting.removeLast()
            waiting += items.reversed()
            guard let entry = item.entry, let path = keys.path(ofKey: entry.key) else { continue }
            found.append(ObjectStatus(path: path, byteCount: entry.byteCount, modified: entry.modified))
        }
        return found
    }

    /// - Parameter folder: its path with a slash at its end; empty for the uppermost.
    private func items(of folder: String) throws(ObjectError) -> [Item] {
        var items: [Item] = []
        var token: String?
        repeat {
            let page = try asking { () throws(S3Fault) in
                try client.list(
                    prefix: keys.files + narrowed(folder), after: nil, delimiter: "/", limit: 1000, token: token)
            }
            items += page.entries.map { Item(path: path(ofKey: $0.key), entry: $0) }
            items += page.prefixes.map { Item(path: path(ofKey: $0), entry: nil) }
            token = page.next
        } while token != nil
        return items.filter { item in
            isWanted(Array(item.path.utf8), isFolder: item.entry == nil) && item.path.utf8.count > folder.utf8.count
        }
        .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
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
