internal import Media

/// What a page's resources tell of how it has to be drawn: all that they name, used or not, and its annotations' too.
///
/// What is not plain counts as nothing: cairo draws it as it is, as it draws most pages.
struct ResourceSurvey {
    /// How many objects are looked at: a bound on what a hostile page costs.
    private var objectsLeft = 512
    /// How many glyphs are read.
    private var glyphsLeft = 96
    /// What was looked at already, in which kind of group.
    private var seen: Set<Visit> = []
    private var objects: PDFObjects

    /// The first thing that was found that cairo cannot show.
    private var firstGap: CairoGap?
    /// Whether the page blends in one of the two modes that Splash shows wrong.
    private var isBeyondSplash = false
    /// The forms that are knockout groups, by their objects' numbers.
    private(set) var knockoutForms: Set<Int> = []

    /// What only Splash shows.
    var cairoGap: CairoGap? { isBeyondSplash ? nil : firstGap }

    private static let deepest = 5
    /// Of one font.
    private static let mostGlyphs = 24
    private static let longestGlyph = 16 << 10
    private static let mostKnockoutForms = 16

    init(of page: PDFPageTree.Page, _ objects: PDFObjects) throws(Failure) {
        self.objects = objects
        try look(at: page.attribute("/Resources"), in: .none, depth: 0)
        for annotation in try resolved(page.entries["/Annots"])?.elements ?? [] {
            // Poppler draws an appearance on the page itself, whatever its group says.
            let appearance = try dictionary(dictionary(annotation)?["/AP"])?["/N"]
            try look(at: dictionary(appearance)?["/Resources"], in: .none, depth: 0)
        }
    }

    /// The transparency group that resources belong to.
    private enum Group: Hashable {
        case none
        case isolated
        /// What is blended in it sees what lies below it.
        case open
    }

    private struct Visit: Hashable {
        let number: Int
        let group: Group
    }

    /// Whether something is looked at for the first time.
    private mutating func isNew(_ piece: PDFPiece?, in group: Group) -> Bool {
        guard let number = piece?.reference else { return true }
        return seen.insert(Visit(number: number, group: group)).inserted
    }

    private mutating func look(at resources: PDFPiece?, in group: Group, depth: Int) throws(Failure) {
        guard depth <= Self.deepest, isNew(resources, in: group), let resources = try dictionary(resources) else {
            return
        }
        for state in try entries(of: "/ExtGState", resources) { try lookAtState(state, in: group, depth: depth) }
        for space in try entries(of: "/ColorSpace", resources) { try lookAtSpace(space) }
        for font in try entries(of: "/Font", resources) { try lookAtFont(font) }
        for part in try entries(of: "/XObject", resources) + entries(of: "/Pattern", resources) {
            try lookAtForm(part, in: group, depth: depth)
        }
    }

    private mutating func lookAtState(_ piece: PDFPiece, in group: Group, depth: Int) throws(Failure) {
        guard let state = try dictionary(piece) else { return }
        switch try resolved(state["/BM"])?.blendMode {
        case nil: break
        case "/Hue", "/Saturation": isBeyondSplash = true
        default: if group == .open { note(.blendingGroup) }
        }
        guard let mask = try dictionary(state["/SMask"]), let form = try dictionary(mask["/G"]) else { return }
        // A mask is made on nothing, whatever its group says (11.5.3).
        try look(at: form["/Resources"], in: .isolated, depth: depth + 1)
    }

    /// - Parameter depth: a pattern's colours may be places in a palette of others, and that is all.
    private mutating func lookAtSpace(_ piece: PDFPiece?, depth: Int = 0) throws(Failure) {
        guard depth <= 2, let space = try resolved(piece)?.elements, space.count >= 2 else { return }
        let inks = try resolved(space[1])
        switch space[0].name {
        case "/Separation": if inks?.name == "/None" { note(.noneInk) }
        case "/DeviceN": if inks?.elements?.allSatisfy({ $0.name == "/None" }) == true { note(.noneInk) }
        case "/Indexed", "/Pattern": try lookAtSpace(inks, depth: depth + 1)
        default: break
        }
    }

    /// A form, a pattern or a picture.
    private mutating func lookAtForm(_ piece: PDFPiece?, in outer: Group, depth: Int) throws(Failure) {
        guard isNew(piece, in: outer), let form = try dictionary(piece) else { return }
        if form["/Subtype"]?.name == "/Image" {
            try lookAtSpace(form["/ColorSpace"])
            if let mask = try dictionary(form["/SMask"]), mask["/Matte"] != nil { note(.matte) }
            return
        }
        guard let own = form["/Resources"] else { return }
        var inner = outer
        if let group = try dictionary(form["/Group"]), group["/S"]?.name == "/Transparency" {
            inner = Self.isTrue(try resolved(group["/I"])) ? .isolated : .open
            if let number = piece?.reference, piece?.generation == 0, knockoutForms.count < Self.mostKnockoutForms,
                Self.isTrue(try resolved(group["/K"]))
            {
                knockoutForms.insert(number)
            }
        }
        try look(at: own, in: inner, depth: depth + 1)
    }

    private mutating func lookAtFont(_ piece: PDFPiece) throws(Failure) {
        guard firstGap != .colouredGlyphs, let font = try dictionary(piece), font["/Subtype"]?.name == "/Type3",
            let glyphs = try dictionary(font["/CharProcs"])
        else { return }
        for glyph in glyphs.entries.prefix(Self.mostGlyphs) {
            guard let number = glyph.value.reference, glyphsLeft > 0 else { return }
            glyphsLeft -= 1
            if let content = try objects.content(number, atMost: Self.longestGlyph), Self.bringsColours(content) {
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

    private mutating func note(_ gap: CairoGap) { firstGap = firstGap ?? gap }

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
