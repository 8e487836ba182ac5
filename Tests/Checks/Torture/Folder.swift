import CLinux
import Linux

/// The original files, and mutants as unnamed open files.
enum Folder {
    /// The size of the largest original: with a larger one, copying would take most of the run.
    private static let largest: Int64 = 2 << 20

    static func files(below path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var files: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix("."), let status = try? FileStatus.of(path: "\(path)/\(name)") else { continue }
            if status.isDirectory { files += self.files(below: "\(path)/\(name)") }
            if status.isRegularFile && status.byteCount <= largest { files.append("\(path)/\(name)") }
        }
        return files
    }

    static func bytes(of path: String) -> [UInt8]? {
        try? Descriptor.open(path, O_RDONLY | O_NONBLOCK).readAll(limit: Int(largest))
    }

    static func source(_ bytes: [UInt8]) -> Descriptor? {
        guard let file = try? MemoryFile.create(name: "mutant", byteCount: bytes.count) else { return nil }
        return (try? file.write(bytes)).map { file }
    }
}

/// The descriptors and threads that this process holds.
struct Footprint {
    let descriptors: Int
    let threads: Int

    static var now: Footprint { Footprint(descriptors: count("/proc/self/fd"), threads: count("/proc/self/task")) }

    func isWithin(_ other: Footprint) -> Bool { descriptors <= other.descriptors && threads <= other.threads }

    /// What is held once it is within `bound`, or after 30 seconds: the system lists a thread for a moment after its join.
    static func settled(within bound: Footprint) -> Footprint {
        let limit = Time.monotonic + .seconds(30)
        while !now.isWithin(bound), Time.monotonic < limit { Time.sleep(.milliseconds(10)) }
        return now
    }

    private static func count(_ path: String) -> Int {
        guard let folder = opendir(path) else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
