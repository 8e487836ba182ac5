import Media
import Objects
import TestDeadline
import Testing

@Suite("The paths of objects", .deadline)
struct ObjectPathTests {
    @Test("A document's path is made of owner, type, time and a safe name")
    func documents() throws {
        let path = try ObjectPath(
            user: "0190a0f0-0000-7000-8000-000000000001", type: .recommendationLetter, milliseconds: 1_769_850_000_120,
            fileName: "..\\..\\Lettre de référence.pdf")
        #expect(
            path.text == "0190a0f0-0000-7000-8000-000000000001/rec_letter/1769850000120_Lettre de référence.pdf")
        #expect(path.lastName == "1769850000120_Lettre de référence.pdf" && path.names.count == 3)
    }

    @Test(
        "Paths that lead elsewhere, or have a control character, are refused",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a/..", "a\0b", "a\nb", "a\u{7F}b",
            "a\u{85}b", "a/\u{1B}[2J",
        ])
    func refused(text: String) {
        #expect {
            try ObjectPath(text)
        } throws: { error in
            if case .invalidPath(let reason) = error as? ObjectError { reason.hasSuffix(".") } else { false }
        }
    }

    @Test(
        "Names that only look special are names",
        arguments: [
            "...", "a..b", ".a", "a b", "-", "😀", "a/b.c/d", "~", "a\\b", "a\u{202F}b", "“a”—b", "a\u{200F}b",
            "e\u{301}",
            "a^b#c?d%\"",
        ])
    func accepted(text: String) throws {
        #expect(Array(try ObjectPath(text).text.utf8) == Array(text.utf8))
    }

    @Test("A path is divided at its bytes: a combining mark behind a slash belongs to the next name")
    func combiningMarks() throws {
        let path = try ObjectPath("u/resume/\u{301}x.pdf")
        #expect(path.names.map { Array($0.utf8) } == ["u", "resume", "\u{301}x.pdf"].map { Array($0.utf8) })
        #expect(Array(path.lastName.utf8) == Array("\u{301}x.pdf".utf8))
        #expect(path.isBelow("u") && path.isBelow("u/resume") && !path.isBelow("u/res"))
        #expect(throws: ObjectError.self) { try ObjectPath("a/\u{301}/../b") }
        #expect(throws: ObjectError.self) { try ObjectPath("a//\u{301}") }
    }

    @Test("Two paths are equal if their bytes are, also as keys")
    func equality() throws {
        let (composed, decomposed) = (try ObjectPath("r\u{E9}"), try ObjectPath("re\u{301}"))
        #expect(composed != decomposed && Set([composed, decomposed, composed]).count == 2)
        #expect(composed.text == decomposed.text, "as texts they are equal")
        #expect(decomposed < composed)
    }

    @Test("A path in a log cannot reorder the line")
    func logs() throws {
        #expect(try "\(ObjectPath("a\u{202E}b"))" == "a b")
    }

    @Test("Paths have at most 1,024 bytes, and names 255")
    func lengths() throws {
        let name = String(repeating: "é", count: 127)
        #expect(try ObjectPath(name + "a").text.utf8.count == 255)
        #expect(throws: ObjectError.tooLong) { try ObjectPath(name + "é") }
        let long = Array(repeating: String(repeating: "a", count: 204), count: 5).joined(separator: "/")
        #expect(try ObjectPath(long).text.utf8.count == 1024)
        #expect(throws: ObjectError.tooLong) { try ObjectPath(long + "a") }
    }

    @Test(
        "A user's id is one name, so that nobody gets into another's folder", arguments: ["", ".", "..", "a/b", "a\0"])
    func users(id: String) {
        #expect(throws: ObjectError.self) {
            try ObjectPath(user: id, type: .resume, milliseconds: 1, fileName: "a.pdf")
        }
    }

    @Test("Every document's path is valid, whatever the file's name", arguments: FileNameTests.hostile)
    func hostile(name: String) throws {
        let path = try ObjectPath(user: "u", type: .highlightVideo, milliseconds: 1, fileName: name)
        #expect(path.names.count == 3 && path.text.hasPrefix("u/highlight_video/1_"))
    }
}
