extension PageText {
    /// The text as a JSON object, as `--json` prints it and the cache stores it.
    ///
    /// `page` is the page number from 1. `words` has an array for each word: the text, left, top, width and height in
    /// points, the ending (0 nothing, 1 a space, 2 end of line, 3 end of paragraph) and, unless 0, the quarter turns.
    /// `recognized` tells whether words were searched for in the page's picture. `mostlyPicture` is present, and true,
    /// if pictures cover most of a page with few words.
    public var json: JSON {
        .object([
            "page": .integer(Int64(pageIndex) + 1), "pageCount": .integer(Int64(pageCount)),
            "width": .shortest(width), "height": .shortest(height), "cut": .bool(isCut),
            "recognized": .bool(isRecognized), "mostlyPicture": isMostlyPicture ? .bool(true) : nil,
            "words": .array(words.map(\.json)),
        ])
    }

    /// The bytes of `json`, without intermediate values: a long document has a million.
    package var jsonBytes: [UInt8] {
        var rest = self
        rest.words = []
        var bytes = rest.json.utf8
        // It ends with `[]}`, and the words go between the brackets.
        bytes.removeLast(2)
        bytes.reserveCapacity(bytes.count + 48 * words.count)
        for (index, word) in words.enumerated() {
            if index > 0 { JSON.writeSeparator(to: &bytes) }
            word.writeJSON(to: &bytes)
        }
        bytes += "]}".utf8
        return bytes
    }

    /// Text from its JSON object; `nil` if a key is missing or a value is out of bounds.
    public init?(json: JSON) {
        guard let page = json["page"]?.int, page >= 1, let pageCount = json["pageCount"]?.int, pageCount >= page,
            let width = json["width"]?.number, let height = json["height"]?.number, width > 0, height > 0,
            let isCut = json["cut"]?.bool, let rows = json["words"]?.array, rows.count <= Self.mostWords
        else { return nil }
        // Texts stored before the project recognised pages lack this key.
        self.init(
            pageIndex: page - 1, pageCount: pageCount, width: width, height: height, isCut: isCut,
            isRecognized: json["recognized"]?.bool ?? false)
        isMostlyPicture = json["mostlyPicture"]?.bool ?? false
        words.reserveCapacity(rows.count)
        for row in rows {
            guard let word = Word(json: row) else { return nil }
            words.append(word)
        }
    }
}

extension PageText.Word {
    fileprivate var json: JSON {
        let row: [JSON] = [
            .string(text), .shortest(place.left), .shortest(place.top), .shortest(place.width),
            .shortest(place.height), .integer(Int64(ending.rawValue)),
        ]
        return .array(rotation == 0 ? row : row + [.integer(Int64(rotation))])
    }

    /// Writes the bytes of `json`.
    fileprivate func writeJSON(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        JSON.writeQuoted(text, to: &bytes)
        place.left.writeJSON(to: &bytes)
        place.top.writeJSON(to: &bytes)
        place.width.writeJSON(to: &bytes)
        place.height.writeJSON(to: &bytes)
        JSON.writeSeparator(to: &bytes)
        JSON.write(Int64(ending.rawValue), to: &bytes)
        if rotation != 0 {
            JSON.writeSeparator(to: &bytes)
            JSON.write(Int64(rotation), to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    fileprivate init?(json: JSON) {
        guard let row = json.array, row.count == 6 || row.count == 7, let text = row[0].string,
            let place = PageText.Rectangle(row[1...4]), let code = row[5].int.flatMap(UInt8.init(exactly:)),
            let ending = PageText.Ending(rawValue: code), let rotation = row.count == 7 ? row[6].int : 0,
            (0...3).contains(rotation)
        else { return nil }
        self.init(text, at: place, ending: ending, rotation: rotation)
    }
}

extension PageText.Rectangle {
    /// The rectangle as a JSON array of left, top, width and height in points.
    public var json: JSON { .array([left, top, width, height].map(JSON.shortest)) }

    fileprivate init?(_ values: ArraySlice<JSON>) {
        let numbers = values.compactMap(\.number)
        guard numbers.count == 4 else { return nil }
        self.init(left: numbers[0], top: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension JSON {
    /// A number, without a fraction if it is whole: `72`, not `72.0`.
    fileprivate static func shortest(_ value: Double) -> JSON {
        Int64(exactly: value).map(JSON.integer) ?? .number(value)
    }
}

extension Double {
    /// Writes the value of `JSON.shortest` after a separator.
    fileprivate func writeJSON(to bytes: inout [UInt8]) {
        JSON.writeSeparator(to: &bytes)
        if let integer = Int64(exactly: self) {
            JSON.write(integer, to: &bytes)
        } else {
            JSON.write(self, to: &bytes)
        }
    }
}
