internal import Media

/// The paragraphs of one part of a Word document: the body, a header, the notes.
///
/// It leaves out deleted text, hidden text, field codes, and all alternatives of a drawing except the first. A text
/// box's paragraphs follow the paragraph that anchors it.
final class WordParagraphs: XMLHandler {
    static let namespaces = [
        "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
        "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
        "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
        "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
        "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
        "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    ]

    private let styles: WordStyles
    private let ignoresFields: Bool
    private(set) var text = TextCollector()
    /// The headers and footers that a section shows, as relationship ids.
    private(set) var shownHeaders: [String] = []

    private var elements: [String] = []
    /// Open paragraphs: more than one if a paragraph contains a text box.
    private var paragraphs: [Paragraph] = []
    /// The paragraphs of text boxes, until the enclosing paragraph has ended.
    private var deferred: [TextParagraph] = []
    /// The text of a paragraph whose mark is deleted, until the next paragraph begins.
    private var carried: TextBuffer?
    private var tables = TableCounter()
    private var run = Run()
    /// For each open field, whether its code is still open.
    private var fields: [Bool] = []
    /// The level of the element that is left out with its content.
    private var skippedLevel: Int?
    /// For each open choice between alternatives, whether one was taken.
    private var choices: [Bool] = []
    private var section = Section()

    private struct Paragraph {
        var buffer = TextBuffer()
        var styleID: String?
        var level: Int?
        var isNumbered: Bool?
        var isMarkDeleted = false
    }

    /// Whether a run is hidden: by its own statement, and by its style's.
    private struct Run {
        var isHidden: Bool?
        var isStyleHidden: Bool?
    }

    private struct Section {
        var headers: [(id: String, type: String)] = []
        var hasTitlePage = false
    }

    init(_ styles: WordStyles, ignoresFields: Bool = false) {
        self.styles = styles
        self.ignoresFields = ignoresFields
    }

    /// Whether the part ended inside the code of a field.
    var hasOpenField: Bool { !ignoresFields && fields.contains(true) }

    var isFinished: Bool { text.isFull }

    func begin(_ name: String, _ attributes: XMLAttributes) {
        let parent = elements.last
        elements.append(name)
        guard skippedLevel == nil else { return }
        if isSkipped(name, attributes) {
            skippedLevel = elements.count
            return
        }
        switch name {
        case "w:p": beginParagraph()
        case "w:r", "m:r": run = Run()
        case "w:tbl": tables.beginTable()
        case "w:tr": tables.beginRow()
        case "w:tc": tables.beginCell()
        case "w:gridSpan": tables.setSpan(attributes["w:val"].flatMap { Int($0) } ?? 1)
        case "mc:AlternateContent": choices.append(false)
        case "w:titlePg": section.hasTitlePage = attributes["w:val"].isOnByDefault
        case "w:headerReference", "w:footerReference":
            if let id = attributes["r:id"], section.headers.count < 64 {
                section.headers.append((id, attributes["w:type"] ?? "default"))
            }
        case "w:sectPr": section = Section()
        default: beginInParagraph(name, attributes, parent)
        }
    }

    func end(_ name: String) {
        let level = elements.count
        elements.removeLast()
        if let skipped = skippedLevel {
            if skipped == level { skippedLevel = nil }
            return
        }
        switch name {
        case "w:p": endParagraph()
        case "w:tbl": tables.endTable()
        case "w:tc", "w:body", "w:txbxContent": emitCarried()
        case "mc:AlternateContent": _ = choices.popLast()
        case "w:sectPr":
            shownHeaders += section.headers.filter { $0.type != "first" || section.hasTitlePage }.map(\.id)
        default: break
        }
    }

    func add(_ characters: UnsafeBufferPointer<UInt8>) {
        guard skippedLevel == nil, elements.last == "w:t" || elements.last == "m:t" else { return }
        write(String(decoding: characters, as: UTF8.self))
    }

    /// Deleted and moved text, further alternatives, phonetic guides, and the separators of notes.
    private func isSkipped(_ name: String, _ attributes: XMLAttributes) -> Bool {
        switch name {
        case "w:del", "w:moveFrom":
            // In the properties of a paragraph mark, the element has no content and refers to the mark.
            if elements.dropLast().last == "w:rPr", !paragraphs.isEmpty {
                paragraphs[paragraphs.count - 1].isMarkDeleted = true
            }
            return true
        case "w:rt", "w:pPrChange", "w:rPrChange", "w:sectPrChange", "w:tblPrChange", "w:tcPrChange", "w:trPrChange":
            return true
        case "mc:Choice", "mc:Fallback":
            guard let isTaken = choices.last else { return false }
            choices[choices.count - 1] = true
            return isTaken
        case "w:footnote", "w:endnote": return attributes["w:type"].map { $0 != "normal" } ?? false
        default: return false
        }
    }

    private func beginInParagraph(_ name: String, _ attributes: XMLAttributes, _ parent: String?) {
        guard !paragraphs.isEmpty else { return }
        let last = paragraphs.count - 1
        let value = attributes["w:val"]
        switch (parent, name) {
        case ("w:pPr", "w:pStyle"): paragraphs[last].styleID = value
        case ("w:pPr", "w:outlineLvl"): paragraphs[last].level = value.flatMap { Int($0) }
        case ("w:numPr", "w:numId"): paragraphs[last].isNumbered = value != "0"
        case ("w:rPr", "w:vanish") where isInRun: run.isHidden = value.isOnByDefault
        case ("w:rPr", "w:rStyle") where isInRun: run.isStyleHidden = styles.isHidden(value)
        case ("w:r", "w:tab"), ("w:r", "w:ptab"): write("\t")
        case ("w:r", "w:cr"): write("\n")
        case ("w:r", "w:br"): if [nil, "textWrapping"].contains(attributes["w:type"]) || hasText { write("\n") }
        case ("w:r", "w:noBreakHyphen"): write("-")
        case ("w:r", "w:fldChar"): noteField(attributes["w:fldCharType"])
        default: break
        }
    }

    /// Whether the properties that begin belong to a run, not to a paragraph mark.
    private var isInRun: Bool {
        let around = elements.dropLast(2).last
        return around == "w:r" || around == "m:r"
    }

    private var hasText: Bool { !(paragraphs.last?.buffer.text.isEmpty ?? true) }

    private func noteField(_ type: String?) {
        switch type {
        case "begin": if fields.count < 1000 { fields.append(true) }
        case "separate": if !fields.isEmpty { fields[fields.count - 1] = false }
        case "end": _ = fields.popLast()
        default: break
        }
    }

    private func write(_ more: String) {
        guard let last = paragraphs.indices.last, ignoresFields || !fields.contains(true) else { return }
        // The nearest statement counts.
        if run.isHidden ?? run.isStyleHidden ?? styles.isHidden(paragraphs[last].styleID) ?? false { return }
        paragraphs[last].buffer.append(more)
    }

    private func beginParagraph() {
        var paragraph = Paragraph()
        if let carried {
            paragraph.buffer = carried
            self.carried = nil
        }
        paragraphs.append(paragraph)
        run = Run()
    }

    private func endParagraph() {
        guard let paragraph = paragraphs.popLast() else { return }
        if paragraph.isMarkDeleted, paragraphs.isEmpty {
            carried = paragraph.buffer
            return
        }
        let done = TextParagraph(paragraph.buffer.text, style: style(of: paragraph), cell: tables.cell)
        run = Run()
        guard paragraphs.isEmpty else {
            // Bounded like the collection that takes them later.
            if deferred.count < DocumentText.mostParagraphs { deferred.append(done) }
            return
        }
        emit(done, isCut: paragraph.buffer.isCut)
    }

    private func emit(_ paragraph: TextParagraph, isCut: Bool) {
        // A paragraph that only holds a box is not a line.
        if deferred.isEmpty || !paragraph.text.isEmpty { text.add(paragraph) }
        for paragraph in deferred { text.add(paragraph) }
        deferred = []
        if isCut { text.markCut() }
    }

    private func emitCarried() {
        guard let carried, paragraphs.isEmpty else { return }
        self.carried = nil
        emit(TextParagraph(carried.text, cell: tables.cell), isCut: carried.isCut)
    }

    private func style(of paragraph: Paragraph) -> TextParagraph.Style {
        if let level = paragraph.level {
            if level < 9 { return .heading }
        } else if styles.level(of: paragraph.styleID) != nil {
            return .heading
        }
        return paragraph.isNumbered ?? styles.isNumbered(paragraph.styleID) ? .listItem : .body
    }
}
