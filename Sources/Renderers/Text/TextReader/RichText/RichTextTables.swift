/// The fonts of an RTF document, as far as they determine the code page of its bytes.
struct RichTextFonts {
    var defaultPage = 1252
    var defaultFont = 0
    private var pages: [Int: Int] = [:]
    private var entry: Int?

    mutating func beginEntry(_ number: Int) { entry = pages.count < 10_000 ? number : nil }

    mutating func endEntry() { entry = nil }

    /// Sets the character set of the entry's font (RTF 1.9, `\fcharset`).
    mutating func setCharacterSet(_ number: Int) {
        guard let entry, let page = Self.pages[number] else { return }
        pages[entry] = page
    }

    mutating func setPage(_ number: Int) { if let entry { pages[entry] = number } }

    /// The code page of text in a font.
    func page(of font: Int?) -> Int { pages[font ?? defaultFont] ?? defaultPage }

    /// Windows code pages by Windows character set. The ANSI and symbol sets mean the document's own page.
    private static let pages: [Int: Int] = [
        77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256,
        186: 1257,
        204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
    ]
}

/// The styles of an RTF document, as far as they define headings.
struct RichTextStyles {
    private var headings: Set<Int> = []
    private var number: Int?
    private var name: [UInt8] = []
    private var hasLevel = false

    func isHeading(_ number: Int) -> Bool { headings.contains(number) }

    mutating func add(_ byte: UInt8) { if name.count < 64 { name.append(byte) } }

    mutating func take(_ word: String, _ value: Int?) {
        switch word {
        case "s": number = value
        // Styles of characters, sections and tables.
        case "cs", "ds", "ts": number = nil
        case "outlinelevel": hasLevel = (0...8).contains(value ?? 9)
        default: break
        }
    }

    mutating func endEntry() {
        let name = String(decoding: self.name, as: UTF8.self).lowercased()
        if let number, hasLevel || name.hasPrefix("heading ") || name == "title;", headings.count < 10_000 {
            headings.insert(number)
        }
        (number, self.name, hasLevel) = (nil, [], false)
    }
}
