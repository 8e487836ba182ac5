import Testing

extension ArchitectureTests {
    @Test(
        "Only the reader with a deadline reads the body of a request: every other way waits for a slow client forever")
    func bodies() throws {
        let files = try SourceFile.all(below: "Sources").filter { $0.text.contains("import Hummingbird\n") }
        #expect(files.count > 30, "where are the routes?")
        let ways = try Regex(
            #"\brequest\.body\b(?!\()|\bcollect\(upTo:|\bcollectBody\(|\.decode\(as:|\bRequestBody\b|for try await .* in .*\bbody\b"#
        )
        let readers = Set(
            files.filter { file in
                file.lines.contains { !$0.drop { $0 == " " }.hasPrefix("//") && $0.firstMatch(of: ways) != nil }
            }.map(\.path))
        #expect(readers == ["Sources/HTTP/HTTPServing/Bodies/BodyReader.swift"])
    }
}
