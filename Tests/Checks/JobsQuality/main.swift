import Foundation
import Matching
import Media

// Reads the texts of résumés from standard input, a JSON object a line, and prints the profile of each, with the first
// postings of a folder for it where `--postings FOLDER DAY` names one.
// {"pages": [page as `compass text --json` prints it, …]}, {"paragraphs": [...]} or {"text": "plain text"}.
let arguments = CommandLine.arguments
let reader = ResumeReader(vocabulary: .builtIn)
let ranking: Ranking? =
    arguments.count == 4 ? CivilDay(arguments[3]).map { Ranking(folder: arguments[2], today: $0) } : nil
while let line = readLine() {
    guard let input = try? JSON(parsing: Array(line.utf8)) else {
        FileHandle.standardError.write(Data("not JSON\n".utf8))
        exit(2)
    }
    let text: ResumeText
    if let pages = input["pages"]?.array {
        text = ResumeText(pages: pages.compactMap(PageText.init(json:)).map(ReadingOrder.arranged))
    } else if let paragraphs = input["paragraphs"]?.array {
        text = ResumeText(paragraphs: paragraphs.compactMap(TextParagraph.init(json:)))
    } else {
        text = ResumeText(plainText: input["text"]?.string ?? "")
    }
    let start = ContinuousClock.now
    let profile = reader.profile(of: text)
    let duration = ContinuousClock.now - start
    let microseconds = duration.components.seconds * 1_000_000 + duration.components.attoseconds / 1_000_000_000_000
    let matched = ranking?.matched(profile, now: PartialDate(year: 2026, month: 11))
    let searched = ranking?.searched(profile)
    let answer = JSON.object([
        "profile": profile.json, "text": .string(text.pages.joined(separator: "\u{C}")),
        "microseconds": .integer(microseconds), "matched": matched.map { .array($0.map { .string($0) }) },
        "searched": searched.map { .array($0.map { .string($0) }) },
    ]).text
    FileHandle.standardOutput.write(Data((answer + "\n").utf8))
}
