// libFuzzer over one of our targets (docs/fuzzing.md).
//
// usage: fuzz TARGET CORPUS FILES [libFuzzer's arguments]: fuzzes; CORPUS is a folder that grows, and gets the target's seeds.
//        The files of the folder FILES are seeds too, where the target reads files.
//        fuzz --list: prints the targets.

import CFuzzer
import CLinux
import FuzzTargets
import Linux

/// The target of this process: libFuzzer's callback carries no context.
enum Chosen {
    static let target = CommandLine.arguments.dropFirst().first.flatMap(FuzzTarget.init(rawValue:))
}

if CommandLine.arguments.dropFirst().first == "--list" {
    for target in FuzzTarget.allCases { print(target.rawValue) }
    exit(0)
}
guard let target = Chosen.target, CommandLine.arguments.count >= 4 else {
    fputs("usage: fuzz TARGET CORPUS FILES [libFuzzer's arguments] | fuzz --list\n", clinux_standard_error())
    exit(2)
}
for (index, seed) in target.seeds.enumerated() {
    let file = try Descriptor.open("\(CommandLine.arguments[2])/seed-\(index)", O_WRONLY | O_CREAT | O_TRUNC)
    try file.write(seed)
}
let arguments =
    [CommandLine.arguments[0], "-max_len=\(target.longestInput)", CommandLine.arguments[2]]
    + (target.readsFiles ? [CommandLine.arguments[3]] : []) + CommandLine.arguments.dropFirst(4)
var count = Int32(arguments.count)
var texts: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: arguments.count + 1)
for (index, argument) in arguments.enumerated() { texts![index] = strdup(argument) }
texts![arguments.count] = nil
exit(
    LLVMFuzzerRunDriver(&count, &texts) { bytes, count in
        do throws(Broken) {
            try Chosen.target!.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
        } catch {
            fatalError(error.what)
        }
        return 0
    })
