// Makes the stand-ins for the libraries that renderers do not call: see StandIns. Runs wherever the programs are built
// or installed.

import CLinux
import Linux
import Media
import StandIns

let arguments = CommandLine.arguments
guard arguments.count == 2 else {
    print("usage: compass-stand-ins FOLDER")
    exit(2)
}
do throws(Failure) {
    for report in try StandInFolder(arguments[1]).fill() {
        print("\(report.rendererClass.name): \(report.count) stand-ins")
        for text in report.left { print("  none for \(text)") }
    }
} catch {
    fputs("compass-stand-ins: \(error)\n", clinux_standard_error())
    exit(1)
}
