import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Labels of a contact sheet", .deadline)
struct SheetTests {
    /// The columns of pixels in which labels have ink, in a sheet of one row of three cells.
    private func inkedColumns(of name: [UInt8]) throws -> Set<Int> {
        let program = try CompassProgram()
        defer { program.remove() }
        let folder = program.path("in")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        // Three files: the named one stands in the middle, as its name begins with "m".
        for other in ["a", "z"] { try Data("text".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(other)")) }
        let path = Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]
        let file = path.withUnsafeBufferPointer { path in
            path.withMemoryRebound(to: CChar.self) { fopen($0.baseAddress!, "w")! }
        }
        fputs("text", file)
        fclose(file)
        let output = try program.run(["sheet", folder, "-o", program.path("sheet.png")])
        #expect(output.status == 0, "\(output.standardError)")
        #expect(!output.standardError.contains("no labels"), "\(output.standardError)")
        let sheet = Picture(png: try Data(contentsOf: URL(fileURLWithPath: program.path("sheet.png"))))
        #expect((sheet.width, sheet.height) == (3 * 216, 184))
        return Set(
            (0..<sheet.width).filter { x in
                (158..<182).contains { y in
                    let colour = sheet.colour((Double(x) + 0.5) / Double(sheet.width), (Double(y) + 0.5) / 184)
                    return zip(colour, [0xF3, 0xF4, 0xF6]).contains { abs($0 - $1) > 8 }
                }
            })
    }

    @Test(
        "A label stays within its cell, whatever the name",
        arguments: [
            "m", "mLOUD", "mmm WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW.jpg", "mпривет.txt", "mصورة.txt",
            "m假期的照片.txt",
            "m😀", "m<text x='0'>&amp;<b>", "m\u{202E}gpj.exe", "m\n\t\u{1B}[31m", "m\u{FFFD}\u{FFFF}",
            "m" + String(repeating: "x", count: 250), "m" + String(repeating: "照", count: 80),
        ])
    func cells(name: String) throws {
        let columns = try inkedColumns(of: Array(name.utf8))
        #expect(columns.contains { (216..<432).contains($0) }, "the name has a label")
        #expect(columns.isDisjoint(with: [216, 217, 218, 429, 430, 431]), "the label stays in its cell")
        // "a" and "z" have one narrow letter each.
        #expect(columns.filter { $0 < 216 }.count < 14 && columns.filter { $0 >= 432 }.count < 14)
    }

    @Test("A name that is no UTF-8 has a label")
    func bytes() throws {
        #expect(try inkedColumns(of: Array("m".utf8) + [0xE9]).contains { (216..<432).contains($0) })
    }

    @Test("Upper and lower case differ")
    func cases() throws {
        #expect(try inkedColumns(of: Array("mile".utf8)) != inkedColumns(of: Array("mILE".utf8)))
    }
}
