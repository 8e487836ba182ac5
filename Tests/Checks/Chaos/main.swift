// Works a real queue with real worker processes, kills, stops and misleads them meanwhile, and audits the queue and the
// cache.
//
// usage: chaos run PROGRAMS SAMPLES SCRATCH SECONDS SEED [fenced|unfenced|hasty]
//        chaos corpus THUMBD CORPUS SCRATCH SECONDS-BETWEEN-KILLS
//        chaos worker …  (started by `run`)
//
// Ends with status 0 if the audit finds nothing, 1 if it finds a fault, 2 if the call makes no sense.

import CLinux
import Linux
import Media

/// Prints a line at once, however the run ends.
func say(_ line: String) {
    fputs(line + "\n", clinux_standard_error())
}

func usage() -> Never {
    say("usage: chaos run PROGRAMS SAMPLES SCRATCH SECONDS SEED [fenced|unfenced|hasty]")
    say("       chaos corpus THUMBD CORPUS SCRATCH SECONDS-BETWEEN-KILLS")
    exit(2)
}

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch arguments.first {
    case "worker":
        try ChaosWorker(parsing: Array(arguments.dropFirst())).run()
    case "run":
        guard (6...7).contains(arguments.count), let seconds = Int64(arguments[4]), let seed = UInt64(arguments[5]),
            let mode = ChaosMode(rawValue: arguments.count == 7 ? arguments[6] : "fenced")
        else { usage() }
        let chaos = try Chaos(
            programs: arguments[1], samples: arguments[2], scratch: Scratch(arguments[3]), seed: seed, mode: mode)
        let findings = try chaos.run(for: .seconds(seconds))
        print(chaos.tally.table)
        // In the order of the jobs, so that all jobs of one sort can precede those of another.
        for finding in findings.prefix(1000) { say("FOUND: \(finding)") }
        print(findings.isEmpty ? "The audit found nothing." : "The audit found \(findings.count) faults.")
        exit(findings.isEmpty ? 0 : 1)
    case "corpus":
        guard arguments.count == 5, let seconds = Double(arguments[4]) else { usage() }
        let run = try CorpusRun(
            thumbd: arguments[1], corpus: arguments[2], scratch: Scratch(arguments[3]),
            pause: .milliseconds(Int64(seconds * 1000)))
        let differences = try run.run()
        for difference in differences.prefix(20) { say("DIFFERS: \(difference)") }
        print(differences.isEmpty ? "Both tallies are equal." : "\(differences.count) files differ.")
        exit(differences.isEmpty ? 0 : 1)
    default: usage()
    }
} catch {
    say("chaos: \(error)")
    exit(2)
}
