internal import Media

/// The paragraphs of an OpenDocument text's content, or of the headers and footers in its styles.
///
/// It leaves out tracked deletions, comments, hidden text, scripts, and the descriptions of pictures. A text box's
/// paragraphs follow the paragraph that anchors it; notes follow the body.
final class OpenDocumentParagraphs: XMLHandler {
    static let namespaces: [String: String] = {
        let names = ["text", "table", "office", "draw", "style", "form", "script", "presentation"]
        var all = Dictionary(
            uniqueKeysWithValues: names.map { ("urn:oasis:names:tc:opendocument:xmlns:\($0):1.0", $0) })
        all["urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"] = "svg"
        all["http://www.w3.org/1998/Math/MathML"] = "math"
        return all
    }()

    /// The text to read from a part.
    enum Scope {
        /// The document's own text.
        case body
        /// Headers and footers.
        case pageStyles
    }

    private let scope: Scope
    private(set) var text = TextCollector()
    private(set) var headers: [TextParagraph] = []
    private(set) var footers: [TextParagraph] = []

    private var levels: [Level] = []
    private var paragraphs: [Paragraph] = []
    /// The paragraphs of text boxes, until the enclosing paragraph has ended.
    private var deferred: [TextParagraph] = []
    /// The paragraphs of notes, until the body has ended.
    private var notes: [TextParagraph] = []
    private var tables = TableCounter()
    private var hiddenStyles: Set<String> = []
    private var styleName: String?

    /// What an element means for the text inside it.
    private struct Level {
        let name: String
        var isSkipped: Bool
        var isHidden: Bool
        /// Where paragraphs go; nested elements inherit it.
        var place: Place
        var isListItem: Bool
    }

    private enum Place {
        case nowhere
        case body
        case note
        case header
        case footer
    }

    private struct Paragraph {
        var buffer = TextBuffer()
        var style: TextParagraph.Style
        /// Whether a following space is superfluous: at the beginning, and after a space (ODF 1.3 part 3, 6.1.2).
        var endsInSpace = true
    }

    init(_ scope: Scope) { self.scope = scope }

    var isFinished: Bool { text.isFull }

    func begin(_ name: String, _ attributes: XMLAttributes) {
        var level =
            levels.last ?? Level(name: "", isSkipped: false, isHidden: false, place: .nowhere, isListItem: false)
        level = Level(
            name: name, isSkipped: level.isSkipped || Self.skipped.contains(name),
            isHidden: level.isHidden || isHidden(name, attributes), place: place(in: name, attributes, level.place),
            isListItem: name == "text:list-item" || level.isListItem && name != "draw:text-box" && name != "table:table"
        )
        levels.append(level)
        guard !level.isSkipped else { return }
        switch name {
        case "style:style": styleName = attributes["style:name"]
        case "style:text-properties":
            if attributes["text:display"] == "none", let styleName, hiddenStyles.count < 10_000 {
                hiddenStyles.insert(styleName)
            }
        case "text:p": beginParagraph(level.isListItem ? .listItem : .body)
        case "text:h": beginParagraph(.heading)
        case "table:table": tables.beginTable()
        case "table:table-row": tables.beginRow()
        case "table:table-cell", "table:covered-table-cell":
            tables.beginCell()
            tables.setSpan(attributes["table:number-columns-repeated"].flatMap { Int($0) } ?? 1)
        case "text:tab": write("\t")
        case "text:line-break": write("\n")
        case "text:s":
            let count = attributes["text:c"].flatMap { Int($0) } ?? 1
            write(String(repeating: " ", count: max(1, min(count, 1000))))
        default: break
        }
    }

    func end(_ name: String) {
        guard let level = levels.popLast(), !level.isSkipped else { return }
        switch name {
        case "style:style": styleName = nil
        case "text:p", "text:h": endParagraph(in: level)
        case "table:table": tables.endTable()
        case "office:text":
            for note in notes { text.add(note) }
            notes = []
        default: break
        }
    }

    func add(_ characters: UnsafeBufferPointer<UInt8>) {
        guard let level = levels.last, !level.isSkipped, !level.isHidden, let last = paragraphs.indices.last else {
            return
        }
        // White space becomes one space, and is dropped after another space.
        for scalar in String(decoding: characters, as: UTF8.self).unicodeScalars {
            if [" ", "\t", "\n", "\r"].contains(scalar) {
                if !paragraphs[last].endsInSpace { paragraphs[last].buffer.append(" " as Unicode.Scalar) }
                paragraphs[last].endsInSpace = true
            } else {
                paragraphs[last].buffer.append(scalar)
                paragraphs[last].endsInSpace = false
            }
        }
    }

    private static let skipped: Set<String> = [
        "office:annotation", "office:annotation-end", "text:tracked-changes", "text:note-citation", "svg:title",
        "svg:desc",
        "text:script", "office:binary-data", "text:ruby-text", "office:forms", "math:math", "office:scripts",
        "presentation:notes", "text:hidden-text", "office:event-listeners",
    ]

    private func isHidden(_ name: String, _ attributes: XMLAttributes) -> Bool {
        switch name {
        case "text:hidden-paragraph": attributes["text:is-hidden"] == "true"
        case "text:section": attributes["text:display"] == "none"
        case "style:header", "style:footer", "style:header-first", "style:footer-first", "style:header-left",
            "style:footer-left":
            attributes["style:display"] == "false"
        case "text:span", "text:p", "text:h": attributes["text:style-name"].map(hiddenStyles.contains) ?? false
        default: false
        }
    }

    private func place(in name: String, _ attributes: XMLAttributes, _ outer: Place) -> Place {
        switch (scope, name) {
        case (.body, "office:text"): .body
        case (.body, "text:note-body"): .note
        case (.pageStyles, "style:header"), (.pageStyles, "style:header-first"), (.pageStyles, "style:header-left"):
            .header
        case (.pageStyles, "style:footer"), (.pageStyles, "style:footer-first"), (.pageStyles, "style:footer-left"):
            .footer
        default: outer
        }
    }

    private func beginParagraph(_ style: TextParagraph.Style) { paragraphs.append(Paragraph(style: style)) }

    private func write(_ more: String) {
        guard levels.last?.isHidden == false, let last = paragraphs.indices.last else { return }
        paragraphs[last].buffer.append(more)
        paragraphs[last].endsInSpace = false
    }

    private func endParagraph(in level: Level) {
        guard let paragraph = paragraphs.popLast() else { return }
        // A hidden paragraph does not count; a paragraph in a note or box ends before the enclosing paragraph.
        let done = TextParagraph(paragraph.buffer.text, style: paragraph.style, cell: tables.cell)
        if level.isHidden && done.text.isEmpty { return }
        switch level.place {
        case .nowhere: return
        case .note: keep(done, in: \.notes)
        case .header: keep(done, in: \.headers)
        case .footer: keep(done, in: \.footers)
        case .body where !paragraphs.isEmpty: keep(done, in: \.deferred)
        case .body:
            if deferred.isEmpty || !done.text.isEmpty { text.add(done) }
            for paragraph in deferred { text.add(paragraph) }
            deferred = []
            if paragraph.buffer.isCut { text.markCut() }
        }
    }

    /// Bounded like the collection that takes them later.
    private func keep(
        _ paragraph: TextParagraph, in list: ReferenceWritableKeyPath<OpenDocumentParagraphs, [TextParagraph]>
    ) {
        guard self[keyPath: list].count < DocumentText.mostParagraphs else { return }
        self[keyPath: list].append(paragraph)
    }
}
