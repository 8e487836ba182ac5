internal import Media

/// What a format says about the current paragraph.
struct StoryParagraph {
    /// The number of nested tables that contain it.
    var depth = 0
    var isHeading = false
    var isListItem = false
}

/// The stories of a document whose marks end paragraphs, cells and rows (RTF, DOC): its body, and text that belongs
/// elsewhere.
struct Stories {
    enum Place {
        case body
        case header
        case footer
        case notes
        /// A drawing's text, which follows the paragraph that anchors the drawing.
        case box
    }

    /// An open story.
    private struct Story {
        let place: Place
        var buffer = TextBuffer()
        var paragraph = StoryParagraph()
        var tables: [Table] = []
        var boxes: [TextParagraph] = []
    }

    private struct Table {
        let number: Int
        var row = 0
        var column = 0
    }

    private var stories = [Story(place: .body)]
    private var body = TextCollector()
    private var headers: [TextParagraph] = []
    private var footers: [TextParagraph] = []
    private var notes: [TextParagraph] = []
    private var tableCount = 0

    var isFull: Bool { body.isFull }

    var paragraph: StoryParagraph {
        get { stories[stories.count - 1].paragraph }
        set { stories[stories.count - 1].paragraph = newValue }
    }

    mutating func write(_ text: String) { stories[stories.count - 1].buffer.append(text) }

    mutating func enter(_ place: Place) { stories.append(Story(place: place)) }

    mutating func leave() {
        guard stories.count > 1 else { return }
        endOpenParagraph()
        _ = stories.popLast()
    }

    mutating func endParagraph() {
        settleTables()
        emit()
    }

    mutating func endCell(isNested: Bool) {
        settleCell(isNested)
        emit()
        let last = stories.count - 1
        if let table = stories[last].tables.indices.last { stories[last].tables[table].column += 1 }
    }

    mutating func endRow(isNested: Bool) {
        let last = stories.count - 1
        let depth = isNested ? max(2, stories[last].paragraph.depth) : 1
        while stories[last].tables.count > depth { stories[last].tables.removeLast() }
        guard let table = stories[last].tables.indices.last, table == depth - 1 else { return }
        stories[last].tables[table].row += 1
        stories[last].tables[table].column = 0
    }

    /// The whole text; the last paragraph may lack its end mark.
    mutating func finished() -> DocumentText {
        while stories.count > 1 { leave() }
        endOpenParagraph()
        var all = TextCollector()
        add(headers, to: &all)
        for paragraph in body.text.paragraphs { all.add(paragraph) }
        if body.isFull { all.markCut() }
        for note in notes { all.add(note) }
        add(footers, to: &all)
        return all.text
    }

    /// Ends a paragraph that lacks its mark, if it has text.
    mutating func endOpenParagraph() {
        let story = stories[stories.count - 1]
        if !story.buffer.text.isEmpty || !story.boxes.isEmpty { endParagraph() }
    }

    /// Appends the non-empty paragraphs of headers or footers, each once.
    private func add(_ paragraphs: [TextParagraph], to all: inout TextCollector) {
        var known: Set<String> = []
        for paragraph in paragraphs where !paragraph.text.allSatisfy(\.isWhitespace) {
            if known.insert(paragraph.text).inserted { all.add(paragraph) }
        }
    }

    /// Opens and closes tables, until as many are open as contain the paragraph.
    private mutating func settleTables() {
        let last = stories.count - 1
        let depth = stories[last].paragraph.depth
        while stories[last].tables.count > depth { stories[last].tables.removeLast() }
        while stories[last].tables.count < depth {
            stories[last].tables.append(Table(number: tableCount))
            tableCount += 1
        }
    }

    /// Like `settleTables`, for a paragraph that ends a cell and so is in a table, whatever its properties say.
    private mutating func settleCell(_ isNested: Bool) {
        let last = stories.count - 1
        let depth = stories[last].paragraph.depth
        stories[last].paragraph.depth = isNested ? max(2, depth) : 1
        settleTables()
        stories[last].paragraph.depth = depth
    }

    private mutating func emit() {
        let last = stories.count - 1
        let story = stories[last]
        let cell = story.tables.last.map {
            TextParagraph.Cell(table: $0.number, row: $0.row, column: $0.column)
        }
        let style: TextParagraph.Style =
            story.paragraph.isHeading ? .heading : story.paragraph.isListItem ? .listItem : .body
        // An empty item does not count as an item.
        let isEmpty = story.buffer.text.isEmpty
        put(TextParagraph(story.buffer.text, style: isEmpty ? .body : style, cell: cell), in: story.place)
        for box in story.boxes { put(box, in: story.place) }
        if story.buffer.isCut { body.markCut() }
        stories[last].buffer = TextBuffer()
        stories[last].boxes = []
        stories[last].paragraph.isListItem = stories[last].paragraph.isListItem && !isEmpty
    }

    private mutating func put(_ paragraph: TextParagraph, in place: Place) {
        switch place {
        case .body: body.add(paragraph)
        case .header: if headers.count < DocumentText.mostParagraphs { headers.append(paragraph) }
        case .footer: if footers.count < DocumentText.mostParagraphs { footers.append(paragraph) }
        case .notes: if notes.count < DocumentText.mostParagraphs { notes.append(paragraph) }
        case .box:
            let outer = stories.count - 2
            guard outer >= 0, stories[outer].boxes.count < DocumentText.mostParagraphs else { return }
            stories[outer].boxes.append(paragraph)
        }
    }
}
