import Console
import Media

/// A file that is not queued, and why: a line of JSON among the results, or a line of text beside them.
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
