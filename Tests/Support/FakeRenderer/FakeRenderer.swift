import CLinux
import Formats
import Linux
import Media
import Probing
import Rendering
import Wire

/// Carries out the command that is a source's text.
struct FakeRenderer: Renderer {
    private let rendererClass: RendererClass

    init(as rendererClass: RendererClass) throws(Failure) {
        self.rendererClass = rendererClass
        if Behaviour.ofThisProcess.refusesToStart { throw Failure(.unavailable, detail: "asked not to start") }
    }

    var build: [String] { ["fake 1"] }

    /// `x-fake/die` ends the renderer itself before it forks.
    mutating func prepare(for mediaType: MediaType) {
        if mediaType.rawValue == "x-fake/die" { abort() }
    }

    /// `paint as image/png` is a PNG; without `as`, the type is unknown.
    static func recognize(_ source: Source) throws(Failure) -> Recognized? {
        let words = String(decoding: try source.bytes(at: 0, count: 100), as: UTF8.self).split(separator: " ")
        guard let index = words.firstIndex(of: "as"), index + 1 < words.count else { return nil }
        let type = MediaType(rawValue: String(words[index + 1]))
        return Recognized(facts: Facts(mediaType: type, byteCount: source.byteCount)) { "its text" }
    }

    func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        if job.request.mediaType == .pageWords { return try echo(job) }
        let text = String(decoding: try job.source.bytes(at: 0, count: 100), as: UTF8.self)
        let words = text.split(separator: " ")
        switch words.first {
        case "paint": return paint(job)
        case "tint": return paint(job, UInt8(words[1]))
        case "decline": return rendererClass.successor == nil ? paint(job) : .declined("as asked")
        case "declineAlways": return .declined("as asked")
        case "text": return try tell(words.dropFirst().first ?? "", job)
        case "document": return try tellDocument(words.dropFirst().first ?? "", job)
        case "pages": return try tellPage(words.dropFirst(), job)
        case "sleep":
            usleep(UInt32(words[1])! * 1000)
            return paint(job)
        case "hold":
            hold(mebibytes: Int(words[1])!)
            return paint(job)
        case "fail": throw Failure(.encrypted, detail: "as asked")
        case "spoil": throw Failure(.corrupt, detail: "as asked")
        case "pretend": throw Failure(.cancelled)
        case "crash": raise(Int32(words[1])!)
        case "shortcut":
            // As if a reader of our own, or a stand-in, were to blame.
            if !job.request.skipsShortcuts { raise(Int32(words[1])!) }
            return paint(job)
        case "exit": _exit(Int32(words[1])!)
        case "hang": while true { sleep(1000) }
        case "spin": while true {}
        case "allocate": allocate()
        case "write": writeToFile()
        case "connect": _ = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // PTRACE_TRACEME
        case "trace": _ = clinux_call(Int(SYS_ptrace), 0, 0, 0, 0, 0)
        case "stop": raise(SIGSTOP)
        default: send(String(words.first ?? ""), about: job)
        }
        _exit(7)
    }

    /// The words of a page, unchanged.
    private func echo(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        let bytes = try job.source.bytes(at: 0, count: Int(job.source.byteCount))
        guard let page = try? PageText(parsing: bytes) else { throw Failure(.corrupt, detail: "no page") }
        return try job.textAnswer(page, Facts(mediaType: .pageWords, byteCount: job.source.byteCount))
    }

    /// A rendition of one colour for every target, as large as its box.
    private func paint(_ job: RenderJob, _ level: UInt8? = nil) -> RenderAnswer {
        var all: [RenderedPixels] = []
        for (index, target) in job.request.targets.enumerated() {
            let size = target.box.bounds
            let pixels = RenderedPixels(width: size.width, height: size.height, channels: 3)
            job.write(pixels, toTarget: index) {
                $0.initializeMemory(as: UInt8.self, repeating: level ?? UInt8(index + 1))
            }
            all.append(pixels)
        }
        return .rendered(Facts(mediaType: .png, byteCount: job.source.byteCount), all)
    }

    /// Text of the requested page, or a lie about it.
    private func tell(_ lie: Substring, _ job: RenderJob) throws(Failure) -> RenderAnswer {
        let facts = Facts(mediaType: .png, byteCount: job.source.byteCount)
        let place = PageText.Rectangle(left: 1, top: 2, width: 3, height: 4)
        var text = PageText(pageIndex: job.request.pageIndex, pageCount: 9, width: 10, height: 10)
        text.words = [PageText.Word("fake\u{1B}", at: place), PageText.Word("text", at: place)]
        switch lie {
        case "unasked": return .text(facts, byteCount: 10)
        case "pictures": return .rendered(facts, [])
        case "beyond": return .text(facts, byteCount: Wire.longestPageText + 1)
        case "zeros": return .text(facts, byteCount: 1000)
        case "elsewhere": text.pageIndex += 1
        case "shorter":
            _ = try job.textAnswer(text, facts)
            return .text(facts, byteCount: text.bytes.count - 1)
        default: break
        }
        return try job.textAnswer(text, facts)
    }

    /// A page of a document: `pages 9 bad:1 bad:2` has nine pages, of which two cannot be read. The pages of `pages 9
    /// wordless` are pictures, and those of `pages 9 stamped` are pictures with a word over them.
    private func tellPage(_ words: ArraySlice<Substring>, _ job: RenderJob) throws(Failure) -> RenderAnswer {
        let facts = Facts(mediaType: .pdf, byteCount: job.source.byteCount)
        guard job.wantsText else { return job.wantsPixels ? paint(job) : .rendered(facts, []) }
        let (index, count) = (job.request.pageIndex, Int(words.first!)!)
        guard index < count else { throw Failure(.usage, detail: "as asked") }
        guard !words.contains("bad:\(index)"), !words.contains("bad:all") else {
            throw Failure(.corrupt, detail: "as asked")
        }
        var page = PageText(pageIndex: index, pageCount: count, width: 10, height: 10)
        let place = PageText.Rectangle(left: 1, top: 2, width: 3, height: 4)
        if !words.contains("wordless") { page.words = [PageText.Word("page", at: place)] }
        page.isMostlyPicture = words.contains("stamped")
        if job.request.furtherPageCount == 0 { return try job.textAnswer(page, facts) }
        return try job.textAnswer(ofSeries: [page.bytes], facts)
    }

    /// Text of a document, or a lie about it.
    private func tellDocument(_ lie: Substring, _ job: RenderJob) throws(Failure) -> RenderAnswer {
        let facts = Facts(mediaType: .plainText, byteCount: job.source.byteCount)
        let cell = TextParagraph.Cell(table: 0, row: 1, column: 2)
        let text = DocumentText(paragraphs: [TextParagraph("fake\u{1B} text\n", cell: cell)])
        switch lie {
        case "beyond": return .text(facts, byteCount: Wire.longestPageText + 1)
        case "zeros": return .text(facts, byteCount: 1000)
        case "shorter":
            _ = try job.textAnswer(text, facts)
            return .text(facts, byteCount: text.bytes.count - 1)
        default: return try job.textAnswer(text, facts)
        }
    }

    /// Takes the given memory, or aborts if it is refused.
    private func hold(mebibytes: Int) {
        if (try? Mapping(anonymousByteCount: mebibytes << 20)) == nil { abort() }
    }

    private func allocate() {
        // Kept, because otherwise the optimiser sees that nothing reads the memory and allocates none.
        var kept: [UnsafeMutableRawPointer] = []
        while let memory = malloc(1 << 20) {
            memset(memory, 1, 1 << 20)
            kept.append(memory)
        }
        if kept.count > 0 { abort() }
    }

    /// A file size limit of zero ends this with SIGXFSZ.
    private func writeToFile() {
        let file = clinux_open_unnamed("/tmp")
        CLinux.write(file, "x", 1)
    }

    /// Answers that no correct child would send.
    private func send(_ what: String, about job: RenderJob) {
        let facts = Facts(mediaType: .png, byteCount: 1)
        let reply = MessageSocket(Descriptor(owning: 5))
        let sound = RenderAnswer.rendered(facts, [RenderedPixels(width: 8, height: 8, channels: 3)]).bytes
        switch what {
        case "silent": break
        case "nonsense": try? reply.send([0xFF, 0xEE, 0xDD])
        case "truncated": try? reply.send(Array(sound.dropLast(3)))
        case "trailing": try? reply.send(sound + [0])
        case "oversized": try? reply.send(Array(repeating: 7, count: 40 << 10))
        case "missing": try? reply.send(RenderAnswer.rendered(facts, []).bytes)
        case "huge":
            let pixels = RenderedPixels(width: 9999, height: 9999, channels: 4)
            try? reply.send(RenderAnswer.rendered(facts, [pixels]).bytes)
        case "endless": while (try? reply.send(sound)) != nil {}
        case "flood": while CLinux.write(2, "noise noise noise\n", 18) > 0 {}
        case "closed": close(5)
        case "gifts": try? reply.send(sound, descriptors: [3, 5, 5, 3])
        case "twice": for _ in 0..<5 { try? reply.send(sound, descriptors: [3]) }
        case "recant":
            try? reply.send(RenderRecognition(Facts(mediaType: .pdf, byteCount: 2)).bytes)
            try? reply.send(sound)
        case "empty": try? reply.send([])
        case "emptyGift": try? reply.send([], descriptors: [3])
        default: try? reply.send(sound)
        }
        _exit(0)
    }
}
