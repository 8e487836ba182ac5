package import Media
package import Rendering

/// What a page may draw with that cairo cannot show, or that Poppler does not tell it; Splash shows it.
///
/// Each is a kind of its own in ISO 32000-1 whose pages come out in wrong colours, not only a little different.
package enum CairoGap: String {
    /// 9.6.5: glyphs that begin with `d0` bring their colours. cairo's fonts of that kind have none before 1.17.6.
    case colouredGlyphs = "Type 3 glyphs in colours of their own"
    /// 11.4.7: what is blended in a group that is not isolated sees the page below. cairo begins each group on nothing.
    case blendingGroup = "blending in a group that is not isolated"
    /// 11.6.5.3: a picture that was blended with one colour beforehand, to be divided by its mask.
    case matte = "a soft mask with /Matte"
    /// 8.6.6.4: what is painted in the colorant None leaves no marks.
    case noneInk = "the colorant None"

    /// What of a page by its index only Splash shows, as far as the file's own tables let one tell.
    package static func first(onPage pageIndex: Int, of source: Source) throws(Failure) -> CairoGap? {
        guard let tables = try PDFTables(source, for: pageIndex) else { return nil }
        return try first(tables)
    }

    static func first(_ tables: PDFTables) throws(Failure) -> CairoGap? {
        guard let page = tables.findings.page else { return nil }
        return try CairoGaps.first(on: page, tables.objects)
    }
}

/// Looks for what cairo cannot show, in all that a page's resources name, used or not, and in its annotations.
///
/// What is not plain counts as nothing: cairo draws it, as it draws most pages.
private struct CairoGaps {
    /// How many objects are looked at: a bound on what a hostile page costs.
    private var objectsLeft = 512
    private var objects: PDFObjects

    private(set) var found: CairoGap?
    /// Whether the page blends in one of the two modes that Splash shows wrong.
    private(set) var isBeyondSplash = false

    private static let deepest = 5
    private static let mostGlyphs = 24

    /// What of a page only Splash shows.
    static func first(on page: PDFPageTree.Page, _ objects: PDFObjects) throws(Failure) -> CairoGap? {
        var gaps = CairoGaps(objects: objects)
        try gaps.look(at: page.attribute("/Resources"), in: .none, depth: 0)
        for annotation in try gaps.resolved(page.entries["/Annots"])?.elements ?? [] {
            // Poppler draws an appearance on the page itself, whatever its group says.
            let appearance = try gaps.dictionary(gaps.dictionary(annotation)?["/AP"])?["/N"]
            try gaps.look(at: gaps.dictionary(appearance)?["/Resources"], in: .none, depth: 0)
        }
        return gaps.isBeyondSplash ? nil : gaps.found
    }

    private init(objects: PDFObjects) { self.objects = objects }

    /// The transparency group that resources belong to.
    private enum Group {
        case none
        case isolated
        /// What is blended in it sees what lies below it.
        case open
    }

    private mutating func look(at resources: PDFPiece?, in group: Group, depth: Int) throws(Failure) {
        guard depth <= Self.deepest, let resources = try dictionary(resources) else { return }
        for state in try entries(of: "/ExtGState", resources) { try lookAtState(state, in: group, depth: depth) }
        for space in try entries(of: "/ColorSpace", resources) { try lookAtSpace(space) }
        for font in try entries(of: "/Font", resources) { try lookAtFont(font) }
        for part in try entries(of: "/XObject", resources) + entries(of: "/Pattern", resources) {
            try lookAtForm(part, in: group, depth: depth)
        }
    }

    private mutating func lookAtState(_ piece: PDFPiece, in group: Group, depth: Int) throws(Failure) {
        guard let state = try dictionary(piece) else { return }
        // A list names the mode that is wanted most first (table 58).
        let mode = try resolved(state["/BM"])
        switch mode?.name ?? mode?.elements?.first?.name {
        case nil, "/Normal", "/Compatible": break
        case "/Hue", "/Saturation": isBeyondSplash = true
        default: if group == .open { note(.blendingGroup) }
        }
        guard let mask = try dictionary(state["/SMask"]), let form = try dictionary(mask["/G"]) else { return }
        // A mask is made on nothing, whatever its group says (11.5.3).
        try look(at: form["/Resources"], in: .isolated, depth: depth + 1)
    }

    private mutating func lookAtSpace(_ piece: PDFPiece?) throws(Failure) {
        guard let space = try resolved(piece)?.elements, space.count >= 2 else { return }
        let inks = try resolved(space[1])
        switch space[0].name {
        case "/Separation": if inks?.name == "/None" { note(.noneInk) }
        case "/DeviceN": if inks?.elements?.allSatisfy({ $0.name == "/None" }) == true { note(.noneInk) }
        case "/Indexed", "/Pattern": if space[1].reference != nil || inks?.elements != nil { try lookAtSpace(inks) }
        default: break
        }
    }

    /// A form, a pattern or a picture.
    private mutating func lookAtForm(_ piece: PDFPiece?, in outer: Group, depth: Int) throws(Failure) {
        guard let form = try dictionary(piece) else { return }
        if form["/Subtype"]?.name == "/Image" {
            try lookAtSpace(form["/ColorSpace"])
            if let mask = try dictionary(form["/SMask"]), mask["/Matte"] != nil { note(.matte) }
            return
        }
        guard let own = form["/Resources"] else { return }
        var inner = outer
        if let group = try dictionary(form["/Group"]), group["/S"]?.name == "/Transparency" {
            inner = Self.isTrue(try resolved(group["/I"])) ? .isolated : .open
        }
        try look(at: own, in: inner, depth: depth + 1)
    }

    private mutating func lookAtFont(_ piece: PDFPiece) throws(Failure) {
        guard found != .colouredGlyphs, let font = try dictionary(piece), font["/Subtype"]?.name == "/Type3",
            let glyphs = try dictionary(font["/CharProcs"])
        else { return }
        for glyph in glyphs.entries.prefix(Self.mostGlyphs) {
            guard let number = glyph.value.reference, objectsLeft > 0 else { return }
            objectsLeft -= 1
            if let content = try objects.content(number), Self.bringsColours(content) {
                return note(.colouredGlyphs)
            }
        }
    }

    /// Whether a glyph's description begins with `d0` and sets a colour, or draws what has colours.
    private static func bringsColours(_ content: [UInt8]) -> Bool {
        var scanner = PDFScanner(content[...])
        var isFree = false
        while let piece = scanner.value() {
            guard piece.bytes.count <= 3, piece.number == nil else { continue }
            switch String(decoding: piece.bytes, as: UTF8.self) {
            case "d0": isFree = true
            case "d1": return false
            case "g", "G", "rg", "RG", "k", "K", "sc", "SC", "scn", "SCN", "sh", "Do", "BI": return isFree
            default: break
            }
        }
        return false
    }

    private mutating func note(_ gap: CairoGap) { found = found ?? gap }

    private static func isTrue(_ piece: PDFPiece?) -> Bool { piece?.bytes.elementsEqual("true".utf8) == true }

    private mutating func entries(of key: String, _ resources: PDFDictionary) throws(Failure) -> [PDFPiece] {
        try dictionary(resources[key])?.entries.map(\.value) ?? []
    }

    private mutating func dictionary(_ piece: PDFPiece?) throws(Failure) -> PDFDictionary? {
        try resolved(piece)?.dictionary
    }

    /// What a value stands for; `nil` where too much was looked at already.
    private mutating func resolved(_ piece: PDFPiece?) throws(Failure) -> PDFPiece? {
        guard piece?.reference != nil else { return piece }
        objectsLeft -= 1
        return objectsLeft < 0 ? nil : try objects.resolved(piece)
    }
}
