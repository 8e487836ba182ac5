import HTTPSyntax
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Forms in multipart/form-data", .deadline)
struct MultipartParserTests {
    private static let type = "multipart/form-data; boundary=AaB03x"

    /// What a form yields, without regard to how its bytes were cut.
    private struct Reading: Equatable {
        struct Part: Equatable {
            let header: PartHeader
            var bytes: [UInt8] = []
            var isComplete = false
        }
        var parts: [Part] = []
        var error: MultipartError?

        var texts: [String] { parts.map { String(decoding: $0.bytes, as: UTF8.self) } }
    }

    private static func read(
        _ pieces: [ArraySlice<UInt8>], type: String = Self.type, limits: MultipartLimits = MultipartLimits()
    ) -> Reading {
        var reading = Reading()
        do throws(MultipartError) {
            var parser = try MultipartParser(ContentType(type), limits: limits)
            for piece in pieces {
                parser.feed(piece)
                try take(&parser, into: &reading)
            }
            parser.finish()
            try take(&parser, into: &reading)
        } catch {
            reading.error = error
        }
        return reading
    }

    private static func take(_ parser: inout MultipartParser, into reading: inout Reading) throws(MultipartError) {
        while let event = try parser.next() {
            switch event {
            case .began(let header): reading.parts.append(Reading.Part(header: header))
            case .bytes(let bytes): reading.parts[reading.parts.count - 1].bytes += bytes
            case .ended: reading.parts[reading.parts.count - 1].isComplete = true
            }
        }
    }

    private static func read(_ text: String, type: String = Self.type, limits: MultipartLimits = .init()) -> Reading {
        read([Array(text.utf8)[...]], type: type, limits: limits)
    }

    private static func part(_ disposition: String, _ body: String = "x", more: String = "") -> String {
        "--AaB03x\r\nContent-Disposition: form-data; \(disposition)\r\n\(more)\r\n\(body)\r\n"
    }

    private static let end = "--AaB03x--\r\n"

    /// A form with all that browsers send, and traps in its file.
    private static let whole =
        part("name=\"title\"", "Ünïcode \u{1F600}") + part("name=\"empty\"", "")
        + part(
            "name=\"file\"; filename=\"a.pdf\"",
            "%PDF\r\n--AaB03\r\n-\r\n\r\n--AaB03-\r\r\n--\r\n\r\n", more: "Content-Type: application/pdf\r\n")
        + part("name=\"none\"; filename=\"\"", "", more: "Content-Type: application/octet-stream\r\n") + end

    @Test("A form yields its parts in order, and a file's bytes as they are")
    func parts() {
        let reading = Self.read(Self.whole)
        #expect(reading.error == nil)
        #expect(reading.parts.map(\.header.name) == ["title", "empty", "file", "none"])
        #expect(reading.parts.map(\.header.fileName) == [nil, nil, "a.pdf", ""])
        #expect(reading.parts.map(\.header.isFile) == [false, false, true, true])
        #expect(reading.parts[2].header.contentType?.mediaType.rawValue == "application/pdf")
        #expect(reading.texts[0] == "Ünïcode \u{1F600}")
        #expect(reading.texts[2] == "%PDF\r\n--AaB03\r\n-\r\n\r\n--AaB03-\r\r\n--\r\n\r\n")
        let areComplete = reading.parts.allSatisfy(\.isComplete)
        #expect(areComplete)
    }

    @Test("A name may be empty, as that of the file which supabase-js sends; a missing one may not")
    func emptyName() {
        let reading = Self.read(Self.part("name=\"\"; filename=\"a.pdf\"") + Self.end)
        #expect(reading.error == nil)
        #expect(reading.parts.map(\.header.name) == [""])
        #expect(reading.parts.map(\.header.fileName) == ["a.pdf"])
    }

    private static let faulty = [
        whole, "preamble\r\nof two lines\r\n" + whole + "epilogue\r\n", String(whole.dropLast(6)),
        part("name=a", "b").replacing("\r\n", with: "\n") + end, part("name=a", "b\r\n--AaB03xyz") + end,
        "--AaB03x\r\n\r\n" + end, "--AaB03x\r\nno field\r\n\r\nx\r\n" + end,
        "--AaB03x \t\r\nContent-Disposition:form-data;name=a\r\n\r\n--AaB03x--", "--AaB03x--", "",
        part("name=a", more: "X: y\r\n folded\r\n") + end, part("name=a", more: "X: \rz\r\n") + end,
        part("name=long", String(repeating: "x", count: 40)) + end,
        part("name=a", more: "X: \(String(repeating: "x", count: 200))\r\n") + end,
        part("name=a") + part("name=b") + part("name=c") + part("name=d") + part("name=e") + end,
        String(repeating: "p", count: 300) + "\r\n" + end, end + String(repeating: "e", count: 300),
    ]

    @Test("A form cut at any byte yields the same, errors too", arguments: faulty)
    func cuts(form: String) {
        var limits = MultipartLimits()
        limits.fieldByteCount = 32
        limits.headerByteCount = 200
        limits.partCount = 4
        let bytes = Array(form.utf8)
        let expected = Self.read(form, limits: limits)
        for place in 0...bytes.count {
            #expect(Self.read([bytes[..<place], bytes[place...]], limits: limits) == expected, "cut at \(place)")
        }
        #expect(Self.read(bytes.indices.map { bytes[$0...$0] }, limits: limits) == expected)
        var random = SplitMix(seed: 1)
        for _ in 0..<200 {
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                pieces.append(rest.prefix(1 + random.next(below: 24)))
                rest = rest.dropFirst(pieces.last!.count)
            }
            #expect(Self.read(pieces, limits: limits) == expected)
        }
    }

    @Test(
        "A fault has its own error",
        arguments: [
            ("", .truncated), ("--AaB03x", .truncated), (part("name=a"), .truncated),
            (part("name=a") + "--AaB03x", .truncated),
            (part("name=a") + "--AaB03x-", .truncated),
            (part("name=a").replacing("\r\n", with: "\n") + end, .bareLineFeed),
            ("--AaB03x\r\nContent-Disposition: form-data; name=a\n\nx\r\n" + end, .bareLineFeed),
            ("--AaB03x\r\n\r\nx\r\n" + end, .nameless), (part("filename=\"a\"") + end, .nameless),
            (
                part("name=a", more: "Content-Type: multipart/mixed; boundary=b\r\n") + end,
                .unsupportedPart(detail: "a multipart within a form")
            ),
            (
                part("name=a", more: "Content-Transfer-Encoding: base64\r\n") + end,
                .unsupportedPart(detail: "Content-Transfer-Encoding base64")
            ),
            (part("name=\"a") + end, .malformed(detail: "Content-Disposition cannot be read")),
            (part("name=a; name=b") + end, .malformed(detail: "Content-Disposition cannot be read")),
            (
                part("name=a").replacing("form-data", with: "attachment") + end,
                .malformed(detail: "a part's disposition is not form-data")
            ),
            (part("name=\"a\u{0}\"") + end, .malformed(detail: "a control character in a part's header")),
            (part("name=a") + "--AaB03xy\r\n", .malformed(detail: "other characters follow a boundary")),
            (end + String(repeating: "x", count: 17000), .malformed(detail: "bytes after the last boundary")),
            (String(repeating: "x", count: 17000) + "\r\n" + end, .malformed(detail: "no boundary at the beginning")),
        ] as [(String, MultipartError)])
    func faults(form: String, error: MultipartError) {
        #expect(Self.read(form).error == error)
        #expect((400...415).contains(error.status) && error.message.hasSuffix(".") && !error.detail.isEmpty)
    }

    @Test("Limits hold to the byte")
    func limits() {
        let long = String(repeating: "x", count: 64 << 10)
        #expect(Self.read(Self.part("name=a", long) + Self.end).error == nil)
        let over = Self.read(Self.part("name=a", long + "y") + Self.end)
        #expect(over.error == .fieldTooLong(name: "a") && over.error?.status == 413)
        #expect(Self.read(Self.part("name=a; filename=b", long + long) + Self.end).error == nil)
        let parts = String(repeating: Self.part("name=a"), count: 100)
        #expect(Self.read(parts + Self.end).parts.count == 100)
        #expect(Self.read(parts + Self.part("name=a") + Self.end).error == .tooManyParts)
        // The header without its last, empty line.
        let rest = 16384 - "Content-Disposition: form-data; name=a\r\nX: \r\n".utf8.count - 2
        let filler = String(repeating: "x", count: rest)
        #expect(Self.read(Self.part("name=a", more: "X: \(filler)\r\n") + Self.end).error == nil)
        #expect(Self.read(Self.part("name=a", more: "X: \(filler)y\r\n") + Self.end).error == .headerTooLong)
        #expect(Self.read(Self.part("name=a", more: "X: \(long)\r\n") + Self.end).error == .headerTooLong)
    }

    @Test("An endless header is refused at its limit")
    func endlessHeader() throws {
        var parser = try MultipartParser(ContentType(Self.type))
        parser.feed(Array("--AaB03x\r\nContent-Disposition: form-data; name=".utf8)[...])
        var count = 0
        #expect(throws: MultipartError.headerTooLong) {
            while count < 1 << 20 {
                _ = try parser.next()
                parser.feed([UInt8](repeating: 0x61, count: 1000)[...])
                count += 1000
            }
        }
        #expect(count < 18000)
        #expect(try parser.next() == nil)
    }

    @Test(
        "Names are decoded as the clients encode them",
        arguments: [
            // Browsers (HTML's algorithm), which leave backslashes and percent signs alone.
            ("filename=\"a%22b%0D%0Ac.pdf\"", "a\"b\r\nc.pdf"), ("filename=\"100%.pdf\"", "100%.pdf"),
            ("filename=\"a%20b%2g.pdf\"", "a%20b%2g.pdf"), ("filename=\"C:\\dir\\a.pdf\"", "C:\\dir\\a.pdf"),
            ("filename=\"R\u{e9}sum\u{e9} \u{1F600}.pdf\"", "R\u{e9}sum\u{e9} \u{1F600}.pdf"),
            // curl, which protects quotes and backslashes.
            ("filename=\"a\\\"b\\\\c.pdf\"", "a\"b\\c.pdf"),
            ("filename=plain.pdf", "plain.pdf"), ("filename=\"a;b=c.pdf\"", "a;b=c.pdf"),
            ("filename=\"x\"; filename*=UTF-8''R%C3%A9sum%c3%a9.pdf", "R\u{e9}sum\u{e9}.pdf"),
            ("filename*=iso-8859-1'en'%A3.pdf", "\u{a3}.pdf"), ("filename=x; filename*=UTF-8''%FF", "x"),
            ("filename=x; filename*=koi8-r''%D1", "x"), ("filename=\"%2\"", "%2"), ("filename=\"%22\"", "\""),
            ("FileName=\"X\"", "X"),
        ])
    func names(parameter: String, name: String) {
        let reading = Self.read(Self.part("name=\"file\"; \(parameter)") + Self.end)
        #expect(reading.error == nil && reading.parts.first?.header.fileName == name)
    }

    @Test("A name that is not UTF-8 is repaired")
    func notUTF8() {
        let bytes = Array(Self.part("name=f; filename=\"@\"").utf8).map { $0 == 0x40 ? 0xE9 : $0 } + Self.end.utf8
        #expect(Self.read([bytes[...]]).parts.first?.header.fileName == "\u{FFFD}")
    }

    @Test(
        "A boundary keeps to its grammar",
        arguments: [
            ("multipart/form-data; boundary=a", true), ("Multipart/Form-Data; Boundary=\"a b'()+_,-./:=?\"", true),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 70))", true),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", false),
            ("multipart/form-data; boundary=\"\"", false), ("multipart/form-data; boundary=\"a \"", false),
            ("multipart/form-data; boundary=\"a;b\"", false), ("multipart/form-data; boundary=\"\u{e9}\"", false),
            ("multipart/form-data", false), ("multipart/mixed; boundary=a", false), ("text/plain; boundary=a", false),
            ("", false), ("multipart/form-data; boundary=a; boundary=b", false),
        ])
    func boundaries(type: String, isSound: Bool) {
        let parser = try? MultipartParser(ContentType(type))
        #expect((parser != nil) == isSound)
    }

    @Test("A file of many megabytes passes in pieces, with no more kept than a piece")
    func largeFile() throws {
        var parser = try MultipartParser(ContentType(Self.type))
        parser.feed(Array(Self.part("name=f; filename=a", "").utf8.dropLast(2))[...])
        guard case .began = try parser.next() else {
            Issue.record("no part")
            return
        }
        var random = SplitMix(seed: 2)
        // Many beginnings of boundaries, and none that is whole.
        let noise = Array("\r\n--AaB03".utf8)
        var count = 0
        var sum = 0
        for _ in 0..<64 {
            let piece = (0..<(64 << 10)).map { _ in noise[random.next(below: noise.count)] }
            count += piece.count
            parser.feed(piece[...])
            while let event = try parser.next() {
                guard case .bytes(let bytes) = event else { continue }
                sum += bytes.count
            }
            #expect(count - sum < 4 + 6)
        }
        parser.feed(Array("\r\n\(Self.end)".utf8)[...])
        parser.finish()
        var events: [MultipartParser.Event] = []
        while let event = try parser.next() { events.append(event) }
        #expect(events.last == .ended && parser.isComplete)
    }
}
