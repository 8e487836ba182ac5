import Foundation
import Media
import Resumes
import Vocabulary

// Reads the texts of résumés from standard input, a JSON object a line, and prints the profile of each.
// {"pages": [page as `compass text --json` prints it, …]} or {"text": "plain text"}.
let reader = ResumeReader(vocabulary: .builtIn)
while let line = readLine() {
    guard let input = try? JSON(parsing: Array(line.utf8)) else {
        FileHandle.standardError.write(Data("not JSON\n".utf8))
        exit(2)
    }
    let text: ResumeText
    if let pages = input["pages"]?.array {
        text = ResumeText(pages: pages.compactMap(PageText.init(json:)))
    } else {
        text = ResumeText(plainText: input["text"]?.string ?? "")
    }
    let start = ContinuousClock.now
    let profile = reader.profile(of: text)
    let duration = ContinuousClock.now - start
    let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    print(
        JSON.object([
            "profile": profile.json, "text": .string(text.pages.joined(separator: "\u{C}")),
            "microseconds": .integer(microseconds),
        ]).text)
}
