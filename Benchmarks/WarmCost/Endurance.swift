import CLinux
import Linux
import Media
import RenderHost
import Synchronization

/// A thousand tasks on one host: its memory, and whether the last tasks are as fast as the first ones.
struct Endurance {
    private let host: RenderHost
    private let samples: [(sample: Sample, rendererClass: RendererClass)]
    private static let taskCount = 1000
    private static let files: [(String, RendererClass)] = [
        ("orientation-1.jpg", .image), ("pages-24.pdf", .pdf), ("h264.mp4", .video),
    ]

    init(_ programs: RendererPrograms, samples folder: String) throws {
        host = RenderHost(programs: programs)
        samples = try Self.files.map { (try Sample("\(folder)/\($0)"), $1) }
    }

    func run(threads: Int) throws {
        defer { host.shutDown() }
        let next = Mutex(0)
        let times = Mutex(Array(repeating: Duration.zero, count: Self.taskCount))
        let memory = Mutex<[UInt64]>([])
        let (host, samples) = (host, samples)
        // Starts and warms all renderers.
        for _ in 0..<10 { for (sample, rendererClass) in samples { try Self.perform(sample, rendererClass, host) } }
        let workers = try (0..<threads).map { _ in
            try WorkerThread(name: "worker") {
                while let number = next.withLock({ next -> Int? in
                    guard next < Self.taskCount else { return nil }
                    defer { next += 1 }
                    return next
                }) {
                    let (sample, rendererClass) = samples[number % samples.count]
                    let start = Time.monotonic
                    try! Self.perform(sample, rendererClass, host)
                    times.withLock { $0[number] = Time.monotonic - start }
                    if number % 100 == 99 { memory.withLock { $0.append(Self.residentByteCount) } }
                }
            }
        }
        for worker in workers { worker.join() }
        report(threads, times.withLock { $0 }, memory.withLock { $0 })
    }

    private func report(_ threads: Int, _ times: [Duration], _ memory: [UInt64]) {
        let (first, last) = (Array(times.prefix(100)).median, Array(times.suffix(100)).median)
        print(
            "| \(threads) | \(first.milliseconds) ms | \(last.milliseconds) ms | \(memory.first! >> 10) KiB "
                + "| \(memory.last! >> 10) KiB |")
    }

    private static func perform(_ sample: Sample, _ rendererClass: RendererClass, _ host: RenderHost) throws(Failure) {
        _ = try host.perform(sample.task, on: sample.descriptor, by: rendererClass)
    }

    /// The resident memory of this process.
    private static var residentByteCount: UInt64 {
        let text = (try? Descriptor.open("/proc/self/statm", O_RDONLY).readAll(limit: 1000)) ?? []
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return (UInt64(fields[1]) ?? 0) * 4096
    }
}
