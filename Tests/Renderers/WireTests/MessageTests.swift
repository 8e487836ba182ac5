import Media
import TestDeadline
import Testing
import Wire

@Suite("Messages between host and renderers", .deadline)
struct MessageTests {
    private static let request = RenderRequest(
        taskID: 1 << 40, mediaType: .mp4, recognizes: true, limits: Limits(), pageIndex: 7, time: .permille(125),
        threadCount: 2,
        explains: true, skipsShortcuts: true, hasWindow: true,
        targets: [
            RenderTarget(
                box: Box(width: 640, height: nil)!, fit: .cover, gravity: .top, enlarge: true, offset: 4096,
                byteCount: 1 << 20)
        ])

    private static let facts: Facts = {
        var facts = Facts(mediaType: .mp4, byteCount: 99)
        facts.width = 64
        facts.height = 36
        facts.orientation = 6
        facts.duration = 1.5
        facts.codec = "h264"
        facts.hasAlpha = false
        facts.isBlank = true
        facts.title = "Title"
        facts.poster = Facts.Poster(time: 0.25, reason: "first")
        return facts
    }()

    private static let messages: [any WireMessage] = [
        request,
        RenderAnswer.rendered(facts, [RenderedPixels(width: 64, height: 36, channels: 3)]),
        RenderAnswer.failed(Failure(.encrypted, detail: "why")),
        RenderAnswer.declined("why"),
        RenderRecognition(facts),
        RenderRecognition(nil),
        RenderNotes(notes: [RenderNote(.colour, "as sRGB")], steps: [RenderStep(.open, microseconds: 7)]),
        RendererReport.ready(build: ["libvips 8.14.1", "x"], notes: []),
        RendererReport.started(taskID: 3),
        RendererReport.ended(
            taskID: 4, ChildEnd(cause: .signalled(11), processorTime: 5, peakByteCount: 6)),
        RendererReport.ended(
            taskID: 4, ChildEnd(cause: .forbiddenCall("socket"), processorTime: 5, peakByteCount: 6)),
        RendererReport.refused(taskID: 5, reason: "no"),
        WindowRequest(65_536..<65_537),
        WindowAnswer(0..<1 << 40),
        WindowAnswer(nil),
        FetchRequest.open(FetchTarget("s3://bucket/key", storeEndpoint: "https://s3.example.org", maxByteCount: 7)),
        FetchRequest.fetch(1..<2),
        FetchAnswer.opened(byteCount: 9, version: "\"tag\""),
        FetchRequest.probe(FetchTarget("s3://bucket", maxByteCount: 0)),
        FetchAnswer.fetched(0..<9),
        FetchAnswer.done,
        FetchAnswer.written(9),
        FetchRequest.openFolder(FetchTarget("s3://bucket/folder", maxByteCount: 7)),
        FetchRequest.list(below: "a/", from: String(repeating: "place ", count: 1000)),
        FetchRequest.read("a/b"),
        FetchRequest.remove("a/b"),
        FetchListing([FetchListing.Object(name: "a/b", byteCount: 1, modified: 2)], next: "place"),
        FetchAnswer.failed(Failure(.sourceMissing, message: "File not found.", detail: "HTTP 404")),
    ]

    @Test("Every message is parsed as it was written", arguments: 0..<messages.count)
    func roundTrip(index: Int) throws {
        func check<Message: WireMessage>(_ message: Message) throws {
            #expect(try Message(parsing: message.bytes).bytes == message.bytes)
        }
        try check(Self.messages[index])
    }

    @Test("An invalid range is refused", arguments: [(5, 5), (6, 5), (-1, 5)] as [(Int64, Int64)])
    func noRange(start: Int64, end: Int64) {
        var bytes = WindowRequest(0..<1).bytes
        bytes.removeLast(16)
        for number in [start, end] { withUnsafeBytes(of: number.littleEndian) { bytes += $0 } }
        #expect(throws: WireError.self) { try WindowRequest(parsing: bytes) }
    }

    @Test("A request arrives as it was sent")
    func request() throws { #expect(try RenderRequest(parsing: Self.request.bytes) == Self.request) }

    @Test("Notes are cut to the bounds of a message, and made printable")
    func boundedNotes() throws {
        let long = String(repeating: "é\u{1B}", count: 5000)
        let notes = RenderNotes(
            notes: Array(repeating: RenderNote(.decoder, long), count: 100),
            steps: Array(repeating: RenderStep(.draw, microseconds: .max), count: 100))
        #expect(notes.bytes.count < Wire.longestMessage)
        let read = try RenderNotes(parsing: notes.bytes)
        #expect(read.notes.count == RenderNotes.longestList && read.steps.count == RenderNotes.longestList)
        #expect(read.notes.allSatisfy { !$0.text.contains("\u{1B}") && $0.text.count <= RenderNotes.longestText + 1 })
    }

    @Test("Longer texts of a child's notes are cut on arrival too")
    func hostileNotes() throws {
        var bytes = RenderNotes(notes: [RenderNote(.decoder, String(repeating: "x", count: 150))]).bytes
        // The text's bytes as a child that was taken over writes them.
        for index in bytes.indices where bytes[index] == UInt8(ascii: "x") { bytes[index] = 0x1B }
        let read = try RenderNotes(parsing: bytes)
        #expect(!read.notes[0].text.contains("\u{1B}"))
    }

    @Test("An answer arrives as it was sent")
    func answer() throws {
        let answer = RenderAnswer.rendered(Self.facts, [RenderedPixels(width: 64, height: 36, channels: 4)])
        #expect(try RenderAnswer(parsing: answer.bytes) == answer)
    }

    @Test("Cut anywhere, or with a byte too many, a message is refused", arguments: 0..<messages.count)
    func cut(index: Int) {
        func check<Message: WireMessage>(_ message: Message) {
            let bytes = message.bytes
            for count in bytes.indices {
                #expect(throws: WireError.self) { try Message(parsing: Array(bytes[..<count])) }
            }
            #expect(throws: WireError.self) { try Message(parsing: bytes + [0]) }
        }
        check(Self.messages[index])
    }

    @Test("Any bytes are a message or an error, never a trap", arguments: 0..<messages.count)
    func mutated(index: Int) {
        func check<Message: WireMessage>(_ message: Message) {
            var random = SystemRandomNumberGenerator()
            for _ in 0..<5000 {
                var bytes = message.bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                _ = try? Message(parsing: bytes)
            }
        }
        check(Self.messages[index])
    }

    @Test("Negative, infinite and zero facts are refused")
    func senselessFacts() throws {
        var facts = Self.facts
        facts.duration = -1
        #expect(throws: WireError.self) { try RenderAnswer(parsing: RenderAnswer.rendered(facts, []).bytes) }
        facts.duration = .infinity
        #expect(throws: WireError.self) { try RenderAnswer(parsing: RenderAnswer.rendered(facts, []).bytes) }
        facts.duration = nil
        facts.width = 0
        #expect(throws: WireError.self) { try RenderAnswer(parsing: RenderAnswer.rendered(facts, []).bytes) }
    }

    @Test("A child's failure may only have a code that a child can know", arguments: Failure.Code.allCases)
    func foreignFailures(code: Failure.Code) {
        let isOwn = [.unsupported, .corrupt, .encrypted, .tooLarge, .unavailable, .usage].contains(code)
        let answer = try? RenderAnswer(parsing: RenderAnswer.failed(Failure(code)).bytes)
        #expect((answer != nil) == isOwn)
    }

    @Test("A negative size of a file is refused")
    func negativeSize() {
        let answer = RenderAnswer.rendered(Facts(mediaType: .png, byteCount: -1), [])
        #expect(throws: WireError.self) { try RenderAnswer(parsing: answer.bytes) }
    }

    @Test("A renderer's build and notes cannot carry control characters to a terminal")
    func hostileBuild() throws {
        let report = RendererReport.ready(build: ["x\u{1B}[2J"], notes: ["y\n"])
        #expect(try RendererReport(parsing: report.bytes) == .ready(build: ["x [2J"], notes: ["y "]))
    }

    @Test("A title cannot carry control characters to a terminal")
    func hostileTitle() throws {
        var facts = Self.facts
        facts.title = "x\u{1B}]0;gotcha\u{7}"
        guard case .rendered(let read, _) = try RenderAnswer(parsing: RenderAnswer.rendered(facts, []).bytes) else {
            Issue.record("no answer")
            return
        }
        #expect(read.title == "x ]0;gotcha ")
    }

    @Test("Another version is refused")
    func version() {
        var bytes = Self.request.bytes
        bytes[0] &+= 1
        #expect(throws: WireError.self) { try RenderRequest(parsing: bytes) }
    }
}
