internal import Linux

/// Divides the rows of a picture among threads.
package enum RowBands {
    /// Runs `body` over all of `0..<count`, in one range per thread, and returns when all ranges are done.
    package static func forEach(of count: Int, threadCount: Int, _ body: @escaping @Sendable (Range<Int>) -> Void) {
        let threadCount = max(1, min(threadCount, count))
        let bounds = (0...threadCount).map { count * $0 / threadCount }
        let others = (1..<threadCount).map { index in
            let rows = bounds[index]..<bounds[index + 1]
            // If no thread is available, the calling thread does the work.
            return (rows, try? WorkerThread(name: "rows") { body(rows) })
        }
        body(bounds[0]..<bounds[1])
        for (rows, thread) in others {
            if let thread { thread.join() } else { body(rows) }
        }
    }
}
