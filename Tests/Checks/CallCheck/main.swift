// Runs every file of some folders through the real renderers and names each system call of theirs that is not on the
// list of the renderer's class, and each file that a child opens outside its class's folders (see CallRecorder).
//
// usage: call-check [--fresh] PROGRAMS FILE-OR-FOLDER…
//
// With --fresh every file gets newly started renderers, otherwise warm ones. Ends with status 1 if a call was found, or
// if the calls of a file could not be recorded.

import CLinux
import RenderHost

var arguments = Array(CommandLine.arguments.dropFirst())
let isFresh = arguments.first == "--fresh"
if isFresh { arguments.removeFirst() }
let files = arguments.dropFirst().flatMap { SourceFolder.files(at: $0) }.sorted()
guard let programs = arguments.first, !files.isEmpty else {
    fputs("usage: call-check [--fresh] PROGRAMS FILE-OR-FOLDER…\n", clinux_standard_error())
    exit(2)
}
let recording = try RecordingRenderers(programs: programs)
var tally = CallTally()
var host = recording.makeHost()
for file in files {
    for record in RecordedFile(path: file, host: host).records() { tally.add(record) }
    if isFresh {
        host.shutDown()
        host = recording.makeHost()
    }
}
host.shutDown()
recording.remove()
tally.print(fileCount: files.count)
exit(tally.isClean ? 0 : 1)
