import Media
import TestDeadline
import Testing

@Suite("Paths as bytes", .deadline)
struct FilePathTests {
    @Test("A text encodes any bytes, and no text encodes two paths")
    func carrier() {
        var names: [[UInt8]] = (1...255).map { [UInt8(ascii: "a"), UInt8($0), UInt8(ascii: ".")] }
        for scalar: Unicode.Scalar in ["\u{10FFE9}", "\u{10FF80}", "\u{10FFFF}", "\u{FFFD}", "é", "\u{100000}"] {
            let text = Array(String(scalar).utf8)
            names += [text, text + [0xE9], [0xF4] + text, Array(text.dropLast()), text + text]
        }
        for name in names { #expect(FilePath(carrier: FilePath(name).carrier).bytes == name) }
        #expect(Set(names.map { FilePath($0).carrier }).count == Set(names).count)
    }

    @Test(
        "A printable path is shown as it is, any other as a shell takes it back",
        arguments: [
            ("two words.jpg", "two words.jpg"), ("Ünïcödé’s", "Ünïcödé’s"), ("two\nlines", "$'two\\nlines'"),
            ("\u{1B}]0;title\u{7}", "$'\\x1b]0;title\\x07'"), ("it's\u{9B}m", "$'it\\'s\\xc2\\x9bm'"),
            ("left\u{202E}right", "$'left\\xe2\\x80\\xaeright'"), ("back\\slash\t", "$'back\\\\slash\\t'"),
            ("$'x", "$'$\\'x'"),
        ])
    func shown(path: String, expected: String) {
        #expect(FilePath(path).shown == expected)
    }

    @Test("Invalid UTF-8 is shown by its bytes, and in JSON in hexadecimal digits")
    func noText() {
        let path = FilePath(Array("/a/caf".utf8) + [0xE9] + Array(".jpg".utf8))
        #expect(path.shown == "$'/a/caf\\xe9.jpg'")
        #expect(path.text == nil)
        #expect(path.hexUnlessText == "2f612f636166e92e6a7067")
        #expect(path.stem.bytes == Array("caf".utf8) + [0xE9])
        #expect(FilePath("a.jpg").hexUnlessText == nil)
    }

    @Test(
        "Name and stem",
        arguments: [
            ("a/b.tar.gz", "b.tar.gz", "b.tar"), (".hidden", ".hidden", ".hidden"), ("folder/", "folder", "folder"),
            ("x", "x", "x"),
        ])
    func parts(path: String, name: String, stem: String) {
        #expect(FilePath(path).name.text == name)
        #expect(FilePath(path).stem.text == stem)
    }
}
