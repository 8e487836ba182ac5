import CLinux
import JobQueue
import Linux
import Media

// Measures how fast jobs are accepted, in batches and one by one. Each job is on disk when its call returns. The third
// measurement is the disk alone: as many bytes as a commit writes, then fdatasync. The three alternate, so that a
// drifting disk affects all equally.

let batch = 500
let batches = 10
let singles = 200
let rounds = 7

/// A queue in a separate file, and the jobs that it is given.
struct Bench {
    let queue: SQLiteQueue
    let folder: String
    private(set) var next = 0

    init(folder: String) throws {
        self.folder = folder
        try SQLiteQueue.migrate(path: "\(folder)/queue.sqlite")
        queue = try SQLiteQueue(path: "\(folder)/queue.sqlite")
    }

    /// Jobs that are all different, with digests like those of uploads.
    mutating func requests(_ count: Int) -> [JobRequest] {
        (0..<count).map { _ in
            next += 1
            let digest = Digest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: next >> ($0 % 4 * 8)) &+ UInt8($0) })
            return JobRequest(
                source: .path("/srv/uploads/2026/11/upload-\(next).jpg"), digest: digest,
                recipes: [Preset.list.recipe, Preset.grid.recipe])
        }
    }

    /// The size of the write-ahead log, in bytes.
    var logByteCount: Int64 { (try? FileStatus.of(path: "\(folder)/queue.sqlite-wal"))?.byteCount ?? 0 }
}

func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = Time.monotonic
    try body()
    return (Time.monotonic - start).milliseconds / 1000
}

/// Writes `byteCount` bytes and syncs, repeatedly.
func sync(_ count: Int, byteCount: Int, in folder: String) throws -> Double {
    let file = try Descriptor.open("\(folder)/floor", O_RDWR | O_CREAT | O_TRUNC)
    let bytes = [UInt8](repeating: 1, count: byteCount)
    // Like the log after its first round: the file has its full size, and writes overwrite old bytes.
    for _ in 0..<count { try file.write(bytes) }
    fsync(file.number)
    lseek(file.number, 0, SEEK_SET)
    return try seconds {
        for _ in 0..<count {
            try file.write(bytes)
            fdatasync(file.number)
        }
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func rate(_ value: Double) -> String { "\(Int(value.rounded()))" }

func run(in folder: String) throws {
    var bench = try Bench(folder: folder)
    _ = try bench.queue.enqueue(bench.requests(batch))
    let before = bench.logByteCount
    for request in bench.requests(4) { _ = try bench.queue.enqueue(request) }
    let commitByteCount = max(4096, Int(bench.logByteCount - before) / 4)
    var (inBatches, oneByOne, floor) = ([Double](), [Double](), [Double]())
    for _ in 0..<rounds {
        let groups = (0..<batches).map { _ in bench.requests(batch) }
        inBatches.append(
            Double(batch * batches) / (try seconds { for group in groups { _ = try bench.queue.enqueue(group) } }))
        let requests = bench.requests(singles)
        oneByOne.append(
            Double(singles) / (try seconds { for request in requests { _ = try bench.queue.enqueue(request) } }))
        floor.append(Double(singles) / (try sync(singles, byteCount: commitByteCount, in: folder)))
    }
    print("| way | a second, median of \(rounds) rounds | least | most | asked for |")
    print("|---|---|---|---|---|")
    func row(_ name: String, _ values: [Double], _ target: String) {
        print("| \(name) | \(rate(median(values))) | \(rate(values.min()!)) | \(rate(values.max()!)) | \(target) |")
    }
    row("jobs, in batches of \(batch)", inBatches, "5000")
    row("jobs, one by one", oneByOne, "500")
    row("the disk alone: \(commitByteCount) bytes and fdatasync", floor, "–")
}

guard let folder = CommandLine.arguments.dropFirst().first else {
    print("usage: enqueue-speed FOLDER (on the disk in question)")
    exit(2)
}
do {
    try run(in: folder)
} catch {
    print("enqueue-speed: \(error)")
    exit(1)
}
