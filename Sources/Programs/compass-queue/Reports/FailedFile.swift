import Console
import Media

/// Prints a file that could not be queued: as JSON on standard output, or as text on standard error.
enum FailedFile {
    static func write(_ name: FilePath, _ failure: Failure, json: Bool) {
        if json {
            let line = JSON.object([
                "source": .string(name.readable), "sourceBytes": name.hexUnlessText.map(JSON.string), "job": .null,
                "failure": failure.json,
            ])
            StandardOutput.write(line.text + "\n")
        } else {
            StandardError.write("compass: \(name.shown): \(failure.line)\n")
        }
    }
}
