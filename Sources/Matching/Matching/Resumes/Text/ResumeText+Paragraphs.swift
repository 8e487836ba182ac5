public import Media

extension ResumeText {
    /// A text of paragraphs, in the order of the document.
    ///
    /// A table row whose cells have one line each is read as one line with tabs. Other rows are cells of a layout: each
    /// cell is read as a column of its own.
    public init(paragraphs: [TextParagraph]) {
        var writer = LineWriter()
        var index = 0
        while index < paragraphs.count {
            guard let cell = paragraphs[index].cell else {
                writer.add(paragraphs[index])
                index += 1
                continue
            }
            let end = paragraphs[index...].firstIndex { $0.cell?.table != cell.table } ?? paragraphs.count
            writer.addTable(paragraphs[index..<end])
            index = end
        }
        self = writer.finished()
    }

    /// A plain text: its lines, with pages at form feeds.
    public init(plainText text: String) {
        var paragraphs: [TextParagraph] = []
        for (page, part) in text.split(separator: "\u{C}", omittingEmptySubsequences: false).enumerated() {
            for line in part.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                paragraphs.append(TextParagraph(String(line), page: page))
            }
        }
        self.init(paragraphs: paragraphs)
    }
}

/// Writes lines one below the other.
private struct LineWriter {
    private var text = ResumeText()
    private var column = 0
    private var byteCount = 0
    private var startsBlock = true
    /// The number of spaces that separate cells, except in indentation.
    private static let gap = 3

    mutating func add(_ paragraph: TextParagraph) {
        while text.pages.count <= paragraph.page {
            text.pages.append("")
            startsBlock = true
        }
        let lines = paragraph.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for line in lines {
            add(String(line), page: paragraph.page, style: paragraph.style)
        }
    }

    mutating func addTable(_ paragraphs: ArraySlice<TextParagraph>) {
        let rows = Dictionary(grouping: paragraphs) { $0.cell?.row ?? 0 }
        for (_, all) in rows.sorted(by: { $0.key < $1.key }) {
            let members = all.filter { !$0.text.isBlank }
            let cells = Dictionary(grouping: members) { $0.cell?.column ?? 0 }
            let columns = cells.keys.sorted()
            let isLine =
                columns.count > 1 && members.count == columns.count
                && members.allSatisfy { !$0.text.contains(where: \.isNewline) }
            if isLine, let first = members.first {
                let joined = columns.compactMap { cells[$0]?.first?.text }
                add(TextParagraph(joined.joined(separator: "\t"), page: first.page, style: first.style))
                continue
            }
            if addLabelled(members, columns) { continue }
            for cell in columns {
                if columns.count > 1 {
                    column += 1
                    startsBlock = true
                }
                for paragraph in cells[cell] ?? [] { add(paragraph) }
            }
            if columns.count > 1 {
                column += 1
                startsBlock = true
            }
        }
    }

    /// Writes a row with a short cell, such as a date, and a cell of several paragraphs: the short cell precedes the
    /// first paragraph.
    private mutating func addLabelled(_ members: [TextParagraph], _ columns: [Int]) -> Bool {
        guard columns.count == 2, let label = members.first, label.cell?.column == columns[0], label.text.count <= 30,
            members.count(where: { $0.cell?.column == columns[0] }) == 1
        else { return false }
        var rest = members.filter { $0.cell?.column == columns[1] }
        rest[0].text = label.text + "\t" + rest[0].text
        startsBlock = true
        for paragraph in rest { add(paragraph) }
        return true
    }

    private mutating func add(_ raw: String, page: Int, style: TextParagraph.Style) {
        let line = Self.normalized(raw)
        guard !line.isEmpty else {
            startsBlock = true
            return
        }
        for part in Self.parted(line) {
            guard byteCount + part.utf8.count < ResumeText.longestText else {
                text.isCut = true
                return
            }
            let start = text.pages[page].utf8.count
            text.pages[page] += part
            text.pages[page] += "\n"
            byteCount += part.utf8.count + 1
            text.lines.append(
                ResumeText.Line(
                    text: part, place: TextPlace(page: page, bytes: start..<start + part.utf8.count), column: column,
                    startsBlock: startsBlock || style == .heading, size: 1, left: Self.indentation(raw), fullness: 0,
                    style: style))
            startsBlock = false
        }
    }

    /// A line in parts of at most `ResumeText.longestLine` bytes, each except the last up to a space if there is one.
    private static func parted(_ line: String) -> [String] {
        guard line.utf8.count > ResumeText.longestLine else { return [line] }
        var parts: [String] = []
        var rest = Substring(line)
        while rest.utf8.count > ResumeText.longestLine {
            let limit = rest.utf8.index(rest.startIndex, offsetBy: ResumeText.longestLine)
            // Back to a space, or else to a whole character.
            let end = rest[..<limit].lastIndex(of: " ") ?? rest.indices.prefix { $0 <= limit }.last ?? rest.endIndex
            let cut = end > rest.startIndex ? end : rest.index(after: rest.startIndex)
            parts.append(String(rest[..<cut]))
            rest = rest[cut...].drop { $0 == " " }
        }
        return rest.isEmpty ? parts : parts + [String(rest)]
    }

    /// Four points for each space before a line.
    private static func indentation(_ raw: String) -> Double? {
        let spaces = raw.prefix { $0 == " " }.count
        return raw.first == "\t" ? nil : Double(spaces) * 4
    }

    /// Runs of spaces become one space, or a tab if there are three or more; the line is trimmed.
    private static func normalized(_ raw: String) -> String {
        var out = ""
        var spaces = 0
        var hasTab = false
        for scalar in raw.unicodeScalars {
            if scalar == "\t" {
                hasTab = true
            } else if scalar.properties.isWhitespace || scalar == "\u{200B}" || scalar == "\u{FEFF}" {
                spaces += 1
            } else if scalar.value >= 0x20, scalar.value != 0x7F, scalar.value != 0xAD {
                if !out.isEmpty, hasTab || spaces > 0 { out += hasTab || spaces >= gap ? "\t" : " " }
                (spaces, hasTab) = (0, false)
                out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    consuming func finished() -> ResumeText {
        let longest = Double(text.lines.map(\.text.utf8.count).max() ?? 1)
        for index in text.lines.indices {
            text.lines[index].fullness = Double(text.lines[index].text.utf8.count) / longest
        }
        return text
    }
}

extension String {
    /// Whether it contains only white space.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
