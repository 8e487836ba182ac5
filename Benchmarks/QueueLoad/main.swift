// Puts jobs into a queue and times it, from a different process than the worker's.
//
// usage: queue-load migrate QUEUE
//        queue-load enqueue QUEUE PRIORITY        paths on standard input, one a line
//        queue-load latency QUEUE PRIORITY PAUSE  the same, one by one with PAUSE milliseconds between
//        queue-load operations QUEUE COUNT        medians of claim, release and status

import CLinux
import JobQueue
import Linux
import Media

func usage() -> Never {
    fputs("usage: queue-load migrate|enqueue|latency|operations QUEUE …\n", clinux_standard_error())
    exit(2)
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { usage() }
do {
    let path = arguments[1]
    if arguments[0] == "migrate" {
        try SQLiteQueue.migrate(path: path)
        exit(0)
    }
    let load = QueueLoad(try SQLiteQueue(path: path))
    switch (arguments[0], arguments.count) {
    case ("enqueue", 3): try load.enqueue(try Priority(word: arguments[2]))
    case ("latency", 4):
        try load.latency(try Priority(word: arguments[2]), pause: .milliseconds(Int64(arguments[3]) ?? 50))
    case ("operations", 3): try load.operations(Int(arguments[2]) ?? 100)
    default: usage()
    }
} catch {
    fputs("queue-load: \(error)\n", clinux_standard_error())
    exit(1)
}
