extension DocumentText {
    /// The text as a JSON object, as `--json` prints it and the cache stores it.
    ///
    /// `paragraphs` has an object for each paragraph: `text`; `page` from 1, unless it is the first; `style`
    /// (`heading`, `listItem`), unless it is running text; in a table `cell`, an array of the table's number, the row
    /// and the column.
    public var json: JSON {
        .object(["paragraphs": .array(paragraphs.map(\.json)), "cut": .bool(isCut)])
    }

    /// Text from its JSON object; `nil` if a key is missing or a value is out of bounds.
    public init?(json: JSON) {
        guard let rows = json["paragraphs"]?.array, rows.count <= Self.mostParagraphs, let isCut = json["cut"]?.bool
        else {
            return nil
        }
        self.init(isCut: isCut)
        paragraphs.reserveCapacity(rows.count)
        for row in rows {
            guard let paragraph = TextParagraph(json: row) else { return nil }
            paragraphs.append(paragraph)
        }
    }
}

extension TextParagraph {
    fileprivate var json: JSON {
        var members = [JSON.Member("text", .string(text))]
        if page != 0 { members.append(JSON.Member("page", .integer(Int64(page) + 1))) }
        if style != .body { members.append(JSON.Member("style", .string(style.name))) }
        if let cell {
            let numbers = [cell.table, cell.row, cell.column].map { JSON.integer(Int64($0)) }
            members.append(JSON.Member("cell", .array(numbers)))
        }
        return .object(members)
    }

    /// A paragraph from an object of `DocumentText.json`; `nil` if a value is out of bounds.
    public init?(json: JSON) {
        guard let text = json["text"]?.string else { return nil }
        self.init(text)
        if let number = json["page"] {
            guard let page = number.int, (1...DocumentText.mostPages).contains(page) else { return nil }
            self.page = page - 1
        }
        if let name = json["style"] {
            guard let style = Style.allCases.first(where: { $0.name == name.string }) else { return nil }
            self.style = style
        }
        if let row = json["cell"] {
            let numbers = row.array?.compactMap(\.int) ?? []
            guard numbers.count == 3, let cell = Cell(table: numbers[0], row: numbers[1], column: numbers[2]).sound
            else {
                return nil
            }
            self.cell = cell
        }
    }
}

extension TextParagraph.Style {
    fileprivate var name: String {
        switch self {
        case .body: "body"
        case .heading: "heading"
        case .listItem: "listItem"
        }
    }
}
