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
    /// Whether a state names one of the blend modes that mix colour components.
    private var hasNonSeparableMode = false
    /// Whether something is drawn through a soft mask, or as a group.
    private var hasMaskOrGroup = false
    /// The forms that are knockout groups, by their objects' numbers.
    private(set) var knockoutForms: Set<Int> = []

    /// What only Splash shows.
    var cairoGap: CairoGap? { firstGap ?? (hasNonSeparableMode && hasMaskOrGroup ? .nonSeparableMode : nil) }

    private static let deepest = 5
    /// Of one font.
    private static let mostGlyphs = 24
    private static let longestGlyph = 16 << 10
    private static let mostKnockoutForms = 16
    /// ISO 32000-1, 11.3.5.3.
    private static let nonSeparableModes: Set = ["/Hue", "/Saturation", "/Color", "/Luminosity"]

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
        if let mode = try resolved(state["/BM"])?.blendMode {
            if Self.nonSeparableModes.contains(mode) { hasNonSeparableMode = true }
            if group == .open { note(.blendingGroup) }
        }
        guard let mask = try dictionary(state["/SMask"]), let form = try dictionary(mask["/G"]) else { return }
        hasMaskOrGroup = true
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
            if let mask = try dictionary(form["/SMask"]) {
                hasMaskOrGroup = true
                if mask["/Matte"] != nil { note(.matte) }
            }
            return
        }
        var inner = outer
        if let group = try dictionary(form["/Group"]), group["/S"]?.name == "/Transparency" {
            hasMaskOrGroup = true
            inner = Self.isTrue(try resolved(group["/I"])) ? .isolated : .open
            try noteKnockout(of: group, piece)
        }
        guard let own = form["/Resources"] else { return }
        try look(at: own, in: inner, depth: depth + 1)
    }

    private mutating func noteKnockout(of group: PDFDictionary, _ form: PDFPiece?) throws(Failure) {
        guard let number = form?.reference, form?.generation == 0, knockoutForms.count < Self.mostKnockoutForms,
            Self.isTrue(try resolved(group["/K"]))
        else { return }
        knockoutForms.insert(number)
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
