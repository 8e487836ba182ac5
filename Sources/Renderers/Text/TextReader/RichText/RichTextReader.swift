internal import Formats
internal import Media

/// Reads the text of Rich Text Format 1.9: headers first, then the body, notes and footers.
///
/// It skips pictures, object data, comments, deleted and hidden text, and every unknown destination.
struct RichTextReader {
    private var tokens: RichTextTokens
    private let characters: CodePages
    private var groups: [RichTextGroup] = []
    private var group = RichTextGroup()
    private var fonts = RichTextFonts()
    private var styles = RichTextStyles()
    private var stories = Stories()

    /// Bytes of text in one code page, not yet converted: a character may have two.
    private var pending: [UInt8] = []
    private var pendingPage = 1252
    /// The first half of a character that takes two `\u` words.
    private var surrogate: UInt16?
    /// The number of remaining characters that stand for those of `\u` in readers without Unicode.
    private var substitutes = 0

    /// - Throws: `corrupt` if the source is not RTF or is nested too deeply; `tooLarge`.
    static func text(of source: BoundedSource, _ characters: CodePages) throws(Failure) -> DocumentText {
        var reader = RichTextReader(tokens: RichTextTokens(source), characters: characters)
        return try reader.text()
    }

    private init(tokens: RichTextTokens, characters: CodePages) {
        self.tokens = tokens
        self.characters = characters
    }

    /// The maximum depth of nested groups. Word nests a few dozen.
    private static let deepest = 10_000

    private mutating func text() throws(Failure) -> DocumentText {
        while let token = try tokens.next(), !stories.isFull {
            switch token {
            case .open:
                flush()
                guard groups.count < Self.deepest else {
                    throw Failure(.corrupt, detail: "more than \(Self.deepest) groups within each other")
                }
                groups.append(group)
                group.isStart = true
                group.isOptional = false
                group.beginsStory = false
                substitutes = 0
                continue
            case .close:
                flush()
                endGroup()
                guard let outer = groups.popLast() else { continue }
                group = outer
                substitutes = 0
                // Whatever follows the outermost group is not text.
                if groups.isEmpty { return stories.finished() }
            case .word(let name, let number): try take(name, number)
            case .symbol(let symbol): take(symbol)
            case .hexByte(let byte), .byte(let byte): take(byte: byte)
            }
            group.isStart = false
        }
        flush()
        // The last group of a truncated file is open.
        if !groups.isEmpty && !stories.isFull { throw Failure(.corrupt, detail: "the document ends within a group") }
        return stories.finished()
    }

    private mutating func endGroup() {
        if group.destination == .fontTable { fonts.endEntry() }
        if group.destination == .styleSheet { styles.endEntry() }
        // A note is a separate story in the middle of a paragraph.
        if group.beginsStory { stories.leave() }
    }

    private mutating func take(byte: UInt8) {
        if substitutes > 0 {
            substitutes -= 1
            return
        }
        switch group.destination {
        case .text where !group.isHidden:
            let page = fonts.page(of: group.font)
            if page != pendingPage { flush() }
            pendingPage = page
            pending.append(byte)
            if pending.count >= 4096, !CodePages.isLead(byte, in: page) { flush() }
        case .fontTable: break
        case .styleSheet: styles.add(byte)
        case .text, .skipped, .object: break
        }
    }

    /// Writes the pending bytes.
    private mutating func flush() {
        guard !pending.isEmpty else { return }
        let text =
            pending.allSatisfy { $0 < 0x80 }
            ? String(decoding: pending, as: UTF8.self) : characters.text(of: pending, in: pendingPage)
        pending.removeAll(keepingCapacity: true)
        surrogate = nil
        stories.write(text)
    }

    private mutating func write(_ text: String) {
        guard group.destination == .text, !group.isHidden else { return }
        flush()
        stories.write(text)
    }

    private mutating func take(_ symbol: UInt8) {
        switch symbol {
        case UInt8(ascii: "*"): group.isOptional = group.isStart
        case UInt8(ascii: "\\"), UInt8(ascii: "{"), UInt8(ascii: "}"): take(byte: symbol)
        case UInt8(ascii: "~"): character("\u{A0}")
        case UInt8(ascii: "_"): character("-")
        case UInt8(ascii: "\t"): character("\t")
        default: if substitutes > 0 { substitutes -= 1 }
        }
    }

    /// Writes a character for which a control word or symbol stands.
    private mutating func character(_ text: String) {
        if substitutes > 0 {
            substitutes -= 1
        } else {
            write(text)
        }
    }

    private mutating func take(_ name: String, _ number: Int?) throws(Failure) {
        if group.isStart || group.isOptional, enter(name) {
            group.isOptional = false
            return
        }
        if group.isOptional {
            // An unknown destination says itself that it may be skipped.
            group.destination = .skipped
            group.isOptional = false
        }
        if let text = Self.characters[name] { return character(text) }
        switch name {
        case "u": takeUnicode(number ?? 0)
        case "uc": group.substituteCount = max(0, min(number ?? 1, 64))
        case "bin": tokens.skip(number ?? 0)
        case "ansicpg": fonts.defaultPage = number ?? 1252
        case "mac": fonts.defaultPage = 10000
        case "pc": fonts.defaultPage = 437
        case "pca": fonts.defaultPage = 850
        case "deff": fonts.defaultFont = number ?? 0
        case "f": takeFont(number ?? 0)
        case "fcharset": if group.destination == .fontTable { fonts.setCharacterSet(number ?? 0) }
        case "cpg": if group.destination == .fontTable { fonts.setPage(number ?? 1252) }
        case "v": group.isInvisible = number != 0
        case "deleted": group.isDeleted = number != 0
        case "plain": (group.isInvisible, group.isDeleted, group.font) = (false, false, nil)
        default: takeLayout(name, number)
        }
    }

    private mutating func takeFont(_ number: Int) {
        if group.destination == .fontTable {
            fonts.beginEntry(number)
        } else {
            flush()
            group.font = number
        }
    }

    /// Takes a word that ends or describes a paragraph.
    private mutating func takeLayout(_ name: String, _ number: Int?) {
        if group.destination == .styleSheet { return styles.take(name, number) }
        guard group.destination == .text else { return }
        switch name {
        case "par", "sect", "page": perform { $0.endParagraph() }
        case "cell", "nestcell": perform { $0.endCell(isNested: name == "nestcell") }
        case "row", "nestrow": perform { $0.endRow(isNested: name == "nestrow") }
        case "pard":
            flush()
            stories.paragraph = StoryParagraph()
        case "intbl": stories.paragraph.depth = max(1, stories.paragraph.depth)
        case "itap": stories.paragraph.depth = max(0, min(number ?? 0, 64))
        case "s": stories.paragraph.isHeading = styles.isHeading(number ?? 0)
        case "outlinelevel": stories.paragraph.isHeading = (0...8).contains(number ?? 9)
        case "ls": stories.paragraph.isListItem = number != 0
        case "pntext": stories.paragraph.isListItem = true
        default: break
        }
    }

    private mutating func perform(_ action: (inout Stories) -> Void) {
        if group.isDeleted { return }
        flush()
        action(&stories)
    }

    /// Takes the number of a UTF-16 unit, which RTF writes as a signed number.
    private mutating func takeUnicode(_ number: Int) {
        substitutes = 0
        if group.destination == .text, !group.isHidden {
            flush()
            let unit = UInt16(truncatingIfNeeded: number)
            if UTF16.isLeadSurrogate(unit) {
                surrogate = unit
            } else {
                stories.write(String(decoding: [surrogate, unit].compactMap(\.self), as: UTF16.self))
                surrogate = nil
            }
        }
        substitutes = group.substituteCount
    }

    /// Enters the destination with which a group begins.
    ///
    /// - Returns: whether the word is a destination.
    private mutating func enter(_ name: String) -> Bool {
        if group.destination == .object {
            // For an object, a page shows only the result; for a text in two encodings, the Unicode text is taken.
            if name == "result" || name == "ud" {
                group.destination = .text
            } else if group.isOptional {
                group.destination = .skipped
            }
            return true
        }
        guard group.destination == .text else { return name != "bin" && group.destination == .skipped }
        switch name {
        case "fonttbl": group.destination = .fontTable
        case "stylesheet": group.destination = .styleSheet
        case "object", "upr": group.destination = .object
        case "listtext", "pntext":
            stories.paragraph.isListItem = true
            group.destination = .skipped
        case "header", "headerl", "headerr", "headerf": enter(.header)
        case "footer", "footerl", "footerr", "footerf": enter(.footer)
        case "footnote": enter(.notes)
        case "shptxt": enter(.box)
        // A drawing's properties contain its text; a nested row's contain its end.
        case "shpinst", "nesttableprops": return true
        default:
            guard Self.skipped.contains(name) else { return false }
            group.destination = .skipped
        }
        return true
    }

    private mutating func enter(_ story: Stories.Place) {
        stories.enter(story)
        group.beginsStory = true
    }

    /// The destinations without document text.
    private static let skipped: Set<String> = [
        "colortbl", "info", "pict", "nonshppict", "shprslt", "sp", "filetbl", "ftnsep", "ftnsepc", "ftncn", "template",
        "xe", "tc",
        "tcn", "rxe", "txe", "pntxta", "pntxtb", "private", "bkmkstart", "bkmkend", "fldinst", "ftcmap", "mmathPr",
        "annotation", "atnid", "atnauthor", "nonesttables", "datafield", "formfield", "listtable", "listoverridetable",
    ]

    private static let characters: [String: String] = [
        "tab": "\t", "line": "\n", "lbr": "\n", "softline": "", "emdash": "\u{2014}", "endash": "\u{2013}",
        "lquote": "\u{2018}", "rquote": "\u{2019}", "ldblquote": "\u{201C}", "rdblquote": "\u{201D}",
        "bullet": "\u{2022}", "emspace": " ", "enspace": " ", "qmspace": " ",
    ]
}

/// The state within an RTF group, which ends with the group.
struct RichTextGroup {
    enum Destination {
        case text
        case fontTable
        case styleSheet
        /// Only the group `\result` or `\ud` has text.
        case object
        case skipped
    }

    var destination = Destination.text
    var font: Int?
    /// The number of characters after `\u` for readers without Unicode.
    var substituteCount = 1
    var isInvisible = false
    var isDeleted = false
    /// Whether nothing of the group has been read.
    var isStart = false
    /// Whether the group began with `\*`.
    var isOptional = false
    /// Whether the story ends with the group.
    var beginsStory = false

    var isHidden: Bool { isInvisible || isDeleted }
}
