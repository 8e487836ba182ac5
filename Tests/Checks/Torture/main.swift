// Feeds mutated files to the real renderers and counts the outcomes: bit flips, cuts and splices of every file below
// some folders, from a fixed seed. Ends with status 1 if an outcome is not allowed: an end without a typed failure, an
// answer much later than its deadline, a host that leaks.
//
// usage: torture PROGRAMS COUNT SEED FOLDER…

import CLinux
import Linux
import Media
import RenderHost

guard CommandLine.arguments.count >= 5, let count = Int(CommandLine.arguments[2]),
    let seed = UInt64(CommandLine.arguments[3])
else {
    fputs("usage: torture PROGRAMS COUNT SEED FOLDER…\n", clinux_standard_error())
    exit(2)
}
let files = CommandLine.arguments.dropFirst(4).flatMap { Folder.files(below: $0) }.sorted()
guard !files.isEmpty else {
    fputs("There are no files in these folders.\n", clinux_standard_error())
    exit(2)
}
let host = RenderHost(programs: RendererPrograms(directory: CommandLine.arguments[1]))
let torture = Torture(host: host, files: files, seed: seed)
// Starts every renderer before the host's descriptors and threads are counted.
for rendererClass in RendererClass.allCases { _ = try? host.build(of: rendererClass) }
torture.run(0..<50, threads: 2)
let before = Footprint.now
torture.run(50..<count, threads: 2)
let after = Footprint.settled(within: before)
torture.printTally()
print("descriptors \(before.descriptors) → \(after.descriptors), threads \(before.threads) → \(after.threads)")
exit(torture.isClean && after.isWithin(before) ? 0 : 1)
