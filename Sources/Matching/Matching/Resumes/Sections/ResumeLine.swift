internal import Media

/// A line of the text with the properties of its form.
struct ResumeLine {
    let line: ResumeText.Line
    /// Whether a bullet or the format's numbering precedes it.
    let isBullet: Bool
    /// The bytes of the line's text without the bullet and the space after it.
    let body: Range<Int>
    /// In text order, without overlaps.
    let dates: [DateMention]

    init(_ line: ResumeText.Line) {
        self.line = line
        let marker = Self.bulletLength(of: line.text)
        isBullet = marker > 0 || line.style == .listItem
        body = marker..<line.text.utf8.count
        dates = DateMention.all(in: line.text)
    }

    var text: String { marker == 0 ? line.text : line.text[bytes: body] }

    private var marker: Int { body.lowerBound }

    /// The number of words after the bullet.
    var wordCount: Int { text.split(whereSeparator: \.isWhitespace).count }

    var endsSentence: Bool { [".", "!", "?"].contains(text.last) }

    /// Whether it is a sentence or a good part of one, rather than names and dates.
    var isProse: Bool {
        let count = wordCount
        if count > 16 { return true }
        return count > 7 && endsSentence && dates.isEmpty || count > 11 && dates.isEmpty && !line.text.contains("\t")
    }

    var startsLowercase: Bool { text.first?.isLowercase == true }

    /// The parts of the body between tabs.
    var cells: [Range<Int>] {
        var cells: [Range<Int>] = []
        var start = body.lowerBound
        for (index, byte) in line.text.utf8.enumerated() where byte == 0x09 && index >= start {
            if index > start { cells.append(start..<index) }
            start = index + 1
        }
        if start < body.upperBound { cells.append(start..<body.upperBound) }
        return cells
    }

    /// The bytes of a bullet at the start of a line and of the white space after it; 0 if there is none.
    private static func bulletLength(of text: String) -> Int {
        guard let first = text.unicodeScalars.first else { return 0 }
        let rest = text.unicodeScalars.dropFirst()
        let isSpaced = rest.first.map { $0.properties.isWhitespace } ?? false
        let isMark: Bool
        switch first {
        case "\u{2022}", "\u{25E6}", "\u{25AA}", "\u{2023}", "\u{25CF}", "\u{25A0}", "\u{27A2}", "\u{2713}", "\u{2714}",
            "\u{25B8}", "\u{25BA}", "\u{2043}", "\u{25CB}", "\u{2219}", "\u{25AB}", "\u{F0B7}", "\u{F0A7}", "\u{2756}",
            "\u{00B7}", "\u{27A4}", "\u{25C6}", "\u{2192}", "\u{25A1}":
            isMark = true
        case "-", "\u{2013}", "\u{2014}", "*", "+", ">", "\u{A7}", "\u{BB}", "\u{A2}": isMark = isSpaced
        // Text recognition reads bullets as these.
        case "e", "o", "\u{AB}": isMark = isSpaced && rest.dropFirst().first?.properties.isUppercase == true
        default: isMark = false
        }
        guard isMark else { return 0 }
        return text.utf8.count - text.dropFirst().drop { $0.isWhitespace }.utf8.count
    }
}
