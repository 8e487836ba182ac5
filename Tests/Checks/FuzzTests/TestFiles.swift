import CLinux
import Linux

/// Files that lie beside the tests.
enum TestFiles {
    /// The bytes of every file in a folder, in the order of their names; none where there is no such folder.
    static func contents(of folder: String) throws -> [[UInt8]] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return try names.sorted().compactMap { name in
            let path = "\(folder)/\(name)"
            guard try FileStatus.of(path: path).isRegularFile else { return nil }
            return try Descriptor.open(path, O_RDONLY).readAll(limit: 4 << 20)
        }
    }
}
