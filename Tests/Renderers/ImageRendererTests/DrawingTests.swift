import Glibc
import ImageRenderer
import Linux
import Media
import TestDeadline
import Testing

@Suite("Drawings (SVG)", .deadline)
struct DrawingTests {
    static func svg(_ attributes: String, _ content: String) -> [UInt8] {
        Array(#"<svg xmlns="http://www.w3.org/2000/svg" \#(attributes)>\#(content)</svg>"#.utf8)
    }

    @Test("A drawing is drawn at the size of its rendition, not scaled from another")
    func drawnAtSize() throws {
        let file = Self.svg(#"viewBox="0 0 4 2""#, ##"<rect x="1" width="2" height="2" fill="#0000ff"/>"##)
        let result = try TestRun(.svg)(file, into: "400x400", enlarge: true)
        let bitmap = result.bitmaps[0]
        #expect(result.facts.width == 4 && result.facts.height == 2)
        #expect(bitmap.size == PixelSize(width: 400, height: 200))
        // Edges are sharp to the pixel.
        #expect(bitmap.pixel(99, 100)[3] == 0 && bitmap.pixel(100, 100) == [0, 0, 255, 255])
        #expect(bitmap.pixel(299, 100) == [0, 0, 255, 255] && bitmap.pixel(300, 100)[3] == 0)
    }

    @Test("A huge declared size is scaled down; a boundless one is refused")
    func huge() throws {
        let content = #"<rect width="50%" height="100%" fill="lime"/>"#
        let bitmap = try TestRun(.svg)(Self.svg(#"width="2000000" height="1000000""#, content), into: "100x100")
            .bitmaps[0]
        #expect(bitmap.size == PixelSize(width: 100, height: 50))
        #expect(bitmap.pixel(25, 25) == [0, 255, 0, 255] && bitmap.pixel(75, 25)[3] == 0)
        let boundless = Self.svg(#"width="1000000000" height="1000000000""#, content)
        let failure = #expect(throws: Failure.self) { _ = try TestRun(.svg)(boundless, into: "100x100") }
        #expect(failure?.code == .tooLarge)
    }

    @Test("A drawing shows nothing from outside its file, even where that could be read", arguments: ["", "file://"])
    func externalReferences(scheme: String) throws {
        let path = "/tmp/compass-external-\(getpid())-\(scheme.count).png"
        let red = PNGFile(width: 1, height: 1, colourType: 2).bytes(rows: [[255, 0, 0]])
        try Descriptor.open(path, O_CREAT | O_WRONLY | O_TRUNC).write(red)
        defer { unlink(path) }
        let reference = scheme + path
        let content = #"""
            <rect width="10" height="10" fill="lime"/><image href="\#(reference)" width="10" height="10"/>
            <style>@import url("\#(reference)");</style>
            """#
        let bitmap = try TestRun(.svg)(Self.svg(#"width="10" height="10""#, content), into: "10x10").bitmaps[0]
        #expect((0..<10).allSatisfy { bitmap.pixel($0, $0) == [0, 255, 0, 255] })
    }

    @Test("XML entities that multiply are refused")
    func entities() {
        let file = Array(
            """
            <!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
            <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">
            <!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">
            <!ENTITY g "&f;&f;&f;&f;&f;&f;&f;&f;&f;&f;"><!ENTITY h "&g;&g;&g;&g;&g;&g;&g;&g;&g;&g;">]>
            <svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&h;</text></svg>
            """.utf8)
        let failure = #expect(throws: Failure.self) { _ = try TestRun(.svg)(file, into: "10x10") }
        #expect(failure?.code == .corrupt)
    }
}
