import CLinux
import Hashing
import Linux
import Media
import Objects

// Measures how fast an object is received: appended in pieces, hashed, and on the disk when its commit returns. For
// comparison: the disk alone (the same writes and one fsync), the digest alone, and both in sequence. All alternate, so
// that a drifting disk affects all equally.

let byteCount = 1_000_000_000
let rounds = 5

struct Bench {
    let folder: String
    let store: FolderStore
    let piece: [UInt8]

    init(folder: String, pieceByteCount: Int) throws {
        self.folder = folder
        store = try FolderStore(path: "\(folder)/store", making: true)
        piece = (0..<pieceByteCount).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) }
    }

    var pieceCount: Int { byteCount / piece.count }

    /// - Returns: the seconds in total, and those of the commit.
    func receive() throws -> (all: Double, commit: Double) {
        for object in try store.walk().next() ?? [] { try store.remove(object.id) }
        sync()
        let start = Time.monotonic
        let file = try store.begin()
        for _ in 0..<pieceCount { try file.append(piece) }
        let arrived = Time.monotonic
        try file.commit()
        let end = Time.monotonic
        return ((end - start).milliseconds / 1000, (end - arrived).milliseconds / 1000)
    }

    /// Like `dd conv=fsync`.
    func write() throws -> Double {
        unlink("\(folder)/floor")
        sync()
        let start = Time.monotonic
        let file = try Descriptor.open("\(folder)/floor", O_WRONLY | O_CREAT | O_TRUNC)
        for _ in 0..<pieceCount { try file.write(piece) }
        try checking("fsync") { fsync(file.number) }
        return (Time.monotonic - start).milliseconds / 1000
    }

    func hash() -> Double {
        let start = Time.monotonic
        var hasher = SHA256()
        for _ in 0..<pieceCount { hasher.update(piece) }
        _ = hasher.digest()
        return (Time.monotonic - start).milliseconds / 1000
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// The peak memory of this process, in MB.
func peak() -> Int {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss / 1000
}

func run(in folder: String) throws {
    print("| pieces of | received, MB/s | least | its commit, s | disk alone, MB/s | digest alone, MB/s | memory, MB |")
    print("|---|---|---|---|---|---|---|")
    for pieceByteCount in [64 << 10, 256 << 10] {
        let bench = try Bench(folder: folder, pieceByteCount: pieceByteCount)
        var (received, commits, disk, digest) = ([Double](), [Double](), [Double](), [Double]())
        for _ in 0..<rounds {
            let (all, commit) = try bench.receive()
            received.append(all)
            commits.append(commit)
            disk.append(try bench.write())
            digest.append(bench.hash())
        }
        func rate(_ seconds: Double) -> String { "\(Int(Double(byteCount) / seconds / 1e6))" }
        let commit = (median(commits) * 100).rounded() / 100
        print(
            "| \(pieceByteCount >> 10) KiB | \(rate(median(received))) | \(rate(received.max()!)) | \(commit) "
                + "| \(rate(median(disk))) | \(rate(median(digest))) | \(peak()) |")
    }
}

guard let folder = CommandLine.arguments.dropFirst().first else {
    print("usage: object-speed FOLDER (on the disk in question)")
    exit(2)
}
do {
    try run(in: folder)
} catch {
    print("object-speed: \(error)")
    exit(1)
}
