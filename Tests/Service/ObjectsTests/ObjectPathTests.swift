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
        "Paths that lead elsewhere, or cannot be shown, are refused",
        arguments: [
            "", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a/..", "a\0b", "a\nb", "a\u{7F}b",
            "a\u{85}b", "a\u{202E}b", "a\u{2028}b", "a/\u{1B}[2J",
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
        arguments: ["...", "a..b", ".a", "a b", "-", "😀", "a/b.c/d", "~", "a\\b"])
    func accepted(text: String) throws {
        #expect(try ObjectPath(text).text == text)
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
