// Times the queue on a PostgreSQL server; each call prints one JSON object.
//
// usage: queue-race migrate ADDRESS
//        queue-race enqueue ADDRESS COUNT BATCH CALLERS   jobs per second, by CALLERS threads
//        queue-race work ADDRESS WORKERS SECONDS          claims, attempts and completions per second
//        queue-race latency ADDRESS COUNT MILLISECONDS [poll]   from enqueueing to the attempt, with two idle workers
//        queue-race idle ADDRESS WORKERS SECONDS          WORKERS workers wait, each with a process's own connections
//        queue-race hold ADDRESS LEASE                    claims a job for LEASE seconds, and never returns
//        queue-race takeover ADDRESS                      seconds until a job of a worker that is gone is claimed

import CLinux
import Linux
import Media

let arguments = Array(CommandLine.arguments.dropFirst())
func number(_ index: Int, or standard: Int) -> Int {
    arguments.count > index ? Int(arguments[index]) ?? standard : standard
}

guard arguments.count >= 2 else {
    fputs("usage: queue-race migrate|enqueue|work|latency|idle|hold|takeover ADDRESS …\n", clinux_standard_error())
    exit(2)
}
do {
    let race = QueueRace(address: arguments[1])
    let result: JSON
    switch arguments[0] {
    case "migrate": result = try race.migrate()
    case "enqueue":
        result = try race.enqueue(number(2, or: 10_000), batch: number(3, or: 500), callers: number(4, or: 1))
    case "work": result = try race.work(number(2, or: 8), for: .seconds(number(3, or: 10)))
    case "latency":
        result = try race.latency(
            number(2, or: 200), pause: .milliseconds(number(3, or: 20)), polls: arguments.last == "poll")
    case "idle": result = try race.idle(number(2, or: 100), for: .seconds(number(3, or: 60)))
    case "hold": result = try race.hold(for: .seconds(number(2, or: 20)))
    case "takeover": result = try race.takeover()
    default: throw Failure(.usage, message: "There is no \(arguments[0]).")
    }
    print(result.text)
} catch {
    fputs("queue-race: \(error)\n", clinux_standard_error())
    exit(1)
}
