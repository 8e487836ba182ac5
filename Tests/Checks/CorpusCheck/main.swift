// Runs `compass thumb` over every file of a corpus and compares the outcome with the corpus's manifest, whose facts
// come from other tools. Every difference must stand, with its reason, in Tests/Checks/CorpusCheck/differences.tsv.
//
// usage: corpus-check COMPASS CORPUS DIFFERENCES

import CLinux
import Media

guard CommandLine.arguments.count == 4 else {
    fputs("usage: corpus-check COMPASS CORPUS DIFFERENCES\n", clinux_standard_error())
    exit(2)
}
let corpus = CommandLine.arguments[2]
guard let manifest = Manifest(corpus: corpus) else {
    fputs("\(corpus)/manifest.tsv cannot be read: there is no corpus there.\n", clinux_standard_error())
    exit(2)
}
let explained = Explanations(path: CommandLine.arguments[3])
let outcomes = CompassRun.outcomes(
    program: CommandLine.arguments[1], corpus: corpus, paths: manifest.entries.map(\.path))
var tally = Tally()
for entry in manifest.entries {
    guard let outcome = outcomes[entry.path] else {
        tally.add(Difference(path: entry.path, fact: "outcome", ours: "no line", theirs: "a line for every file"))
        continue
    }
    tally.count(outcome)
    for difference in Comparison.differences(between: outcome, and: entry) { tally.add(difference) }
}
tally.print(explained: explained)
exit(tally.isClean(explained: explained) ? 0 : 1)
