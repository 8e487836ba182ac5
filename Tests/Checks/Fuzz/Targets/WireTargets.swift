import Media
import Wire

/// The messages between host and renderers: bytes give a message or an error, and a message that was read, written and
/// read again is the same.
enum WireTargets {
    static func request(_ bytes: [UInt8]) throws(Broken) { try survives(bytes, as: RenderRequest.self) }

    static func answer(_ bytes: [UInt8]) throws(Broken) {
        try survives(bytes, as: RenderAnswer.self)
        try survives(bytes, as: RenderNotes.self)
        try survives(bytes, as: RenderRecognition.self)
        try survives(bytes, as: PageText.self)
        if let text = try? PageText(parsing: bytes) {
            try holds(text.words.allSatisfy { isPrintable($0.text) }, "a word that controls a terminal")
            _ = text.matches(String(text.words.last?.text.prefix(2) ?? ""))
        }
        try survives(bytes, as: PageSeries.self)
        try survives(bytes, as: DocumentText.self)
        if let text = try? DocumentText(parsing: bytes) {
            let texts = text.paragraphs.map { $0.text.split(whereSeparator: { $0 == "\n" || $0 == "\t" }).joined() }
            try holds(texts.allSatisfy(isPrintable), "a paragraph that controls a terminal")
        }
        guard case .rendered(let facts, let pixels) = try? RenderAnswer(parsing: bytes) else { return }
        for size in pixels { try holds(size.byteCount > 0, "pixels without bytes") }
        let texts = [
            facts.mediaType.rawValue, facts.codec, facts.colorSpace, facts.hdr, facts.title, facts.poster?.reason,
        ]
        for text in texts.compactMap({ $0 }) { try holds(isPrintable(text), "a text that controls a terminal") }
    }

    static func report(_ bytes: [UInt8]) throws(Broken) { try survives(bytes, as: RendererReport.self) }

    static func survives<Message: WireMessage & Equatable>(
        _ bytes: [UInt8], as type: Message.Type
    ) throws(Broken) {
        guard let message = try? Message(parsing: bytes) else { return }
        let written = message.bytes
        try holds(written.count <= Wire.longestMessage || bytes.count > Wire.longestMessage, "a message that grew")
        try holds((try? Message(parsing: written)) == message, "a message that changed on its way")
    }

    static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
    }
}

extension WireTargets {
    static var requests: [[UInt8]] {
        let target = RenderTarget(
            box: Box(width: 640, height: nil)!, fit: .cover, gravity: .top, enlarge: true, offset: 4096,
            byteCount: 1 << 20)
        let counts = [(TimePosition.poster, 2), (.milliseconds(1500), 2), (.permille(125), Wire.longestList)]
        return counts.map { time, count in
            RenderRequest(
                taskID: 1 << 40, mediaType: .mp4, limits: Limits(), pageIndex: 7, time: time, threadCount: 2,
                targets: Array(repeating: target, count: count)
            ).bytes
        }
    }

    static var answers: [[UInt8]] {
        var facts = Facts(mediaType: .mp4, byteCount: 99)
        facts.width = 64
        facts.height = 36
        facts.orientation = 6
        facts.pageCount = 3
        facts.pageWidth = 612
        facts.pageHeight = 792
        facts.duration = 1.5
        facts.frameRate = 30
        facts.codec = "h264"
        facts.colorSpace = "srgb"
        facts.hdr = "HLG"
        facts.hasAlpha = false
        facts.isEncrypted = true
        facts.hasVideo = true
        facts.isBlank = false
        facts.title = "Title\u{1B}[1m"
        facts.poster = Facts.Poster(time: 0.25, reason: "first")
        var titled = Facts(mediaType: .pdf, byteCount: 1)
        titled.title = String(repeating: "é", count: Wire.longestText)
        let place = PageText.Rectangle(left: 5, top: 6.25, width: 20, height: 8)
        let words = ["Wort", "שלום", "oﬃce-"].map { PageText.Word($0, at: place, ending: .line, rotation: 1) }
        return [
            PageText(pageIndex: 1, pageCount: 3, width: 100, height: 70, words: words).bytes,
            DocumentText(paragraphs: [
                TextParagraph("Absatz\n\tשלום", page: 1, style: .listItem),
                TextParagraph("", cell: TextParagraph.Cell(table: 0, row: 1, column: 2)),
            ]).bytes,
            RenderAnswer.text(titled, byteCount: 99).bytes,
            RenderAnswer.rendered(facts, [RenderedPixels(width: 64, height: 36, channels: 3)]).bytes,
            RenderAnswer.rendered(Facts(mediaType: .png, byteCount: 1), []).bytes,
            RenderAnswer.rendered(titled, []).bytes,
            RenderAnswer.failed(Failure(.encrypted, detail: String(repeating: "why ", count: Wire.longestText))).bytes,
            RenderAnswer.failed(Failure(.encrypted, detail: "why")).bytes,
        ]
    }

    static var reports: [[UInt8]] {
        let causes: [ChildEnd.Cause] = [.exited(status: 1), .signalled(11), .forbiddenCall("socket")]
        let ends = causes.map { ChildEnd(cause: $0, processorTime: 5, peakByteCount: 6) }
        return [
            RendererReport.ready(build: ["libvips 8.14.1", "x"], notes: ["NO NAMESPACES"]).bytes,
            RendererReport.ready(
                build: Array(repeating: "libvips 8.14.1", count: Wire.longestList),
                notes: [String(repeating: "NO NAMESPACES ", count: Wire.longestText)]
            ).bytes,
            RendererReport.started(taskID: 3).bytes, RendererReport.refused(taskID: 5, reason: "no").bytes,
        ] + ends.map { RendererReport.ended(taskID: 4, $0).bytes }
    }
}
