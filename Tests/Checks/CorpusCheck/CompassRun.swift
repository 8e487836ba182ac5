import CLinux
import Media
import TestSupport

/// The output of `compass thumb --json` for one file.
struct Outcome {
    let facts: JSON?
    /// The failure's code; `nil` where there is a rendition.
    let failure: String?
    let renditionSize: (width: Int, height: Int)?
    let milliseconds: Double
}

/// One call of `compass` over all files, without the cache.
enum CompassRun {
    static func outcomes(program: String, corpus: String, paths: [String]) -> [String: Outcome] {
        let scratch = TemporaryFolder.make("corpus")
        defer { system("rm -rf \(quoted(scratch))") }
        let files = paths.map { quoted("\(corpus)/\($0)") }.joined(separator: " ")
        // A list of names can exceed the length of one argument of a shell, so a script holds it.
        let script = "\(scratch)/run.sh"
        let command =
            "exec \(quoted(program)) thumb --json --no-icon --size 512 --cache \(quoted(scratch))/cache \(files)\n"
        let file = fopen(script, "w")!
        fputs(command, file)
        fclose(file)
        guard let output = popen("sh \(quoted(script))", "r") else { return [:] }
        let text = TextFile.read(output)
        pclose(output)
        return parse(text, corpus: corpus)
    }

    private static func parse(_ text: String, corpus: String) -> [String: Outcome] {
        var outcomes: [String: Outcome] = [:]
        for line in text.split(separator: "\n") {
            guard let json = try? JSON(parsing: Array(line.utf8)), let source = json["source"]?.string else { continue }
            let rendition = json["renditions"]?.array?.first
            var size: (width: Int, height: Int)?
            if let width = rendition?["width"]?.int, let height = rendition?["height"]?.int { size = (width, height) }
            let times = json["timings"]?.members?.compactMap { $0.value.number } ?? []
            outcomes[String(source.dropFirst(corpus.count + 1))] = Outcome(
                facts: json["facts"], failure: json["failure"]?["code"]?.string, renditionSize: size,
                milliseconds: times.reduce(0, +))
        }
        return outcomes
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
