internal import Formats
internal import Media

/// The features in a page's resources that decide how the page is drawn: in all resources, used or not, and in the
/// annotations' resources.
///
/// Objects that are damaged or hard to follow are skipped: cairo draws them, as it draws most pages.
struct ResourceSurvey {
    /// The number of objects that may still be read: a limit on the cost of a hostile page.
    private var objectsLeft = 512
    /// The number of glyph descriptions that may still be read.
    private var glyphsLeft = 96
    /// The objects that were read, each with the group around it.
    private var visited: Set<Visit> = []
    private var objects: IndirectObjects

    /// The first feature found that cairo draws incorrectly.
    private var firstGap: CairoGap?
    /// Whether a graphics state names a non-separable blend mode.
    private var hasNonSeparableMode = false
    /// Whether there is a soft mask or a transparency group.
    private var hasMaskOrGroup = false
    /// The object numbers of the forms that are knockout groups.
    private(set) var knockoutForms: Set<Int> = []

    /// A feature that only Splash draws correctly.
    var cairoGap: CairoGap? { firstGap ?? (hasNonSeparableMode && hasMaskOrGroup ? .nonSeparableMode : nil) }

    private static let maximumDepth = 5
    /// The maximum for one font.
    private static let maximumGlyphCount = 24
    private static let maximumGlyphLength = 16 << 10
    private static let maximumKnockoutFormCount = 16
    /// ISO 32000-1, 11.3.5.3.
    private static let nonSeparableModes: Set = ["/Hue", "/Saturation", "/Color", "/Luminosity"]

    init(of page: PageTree.Page, _ objects: IndirectObjects) throws(Failure) {
        self.objects = objects
        try survey(page.attribute("/Resources"), in: .none, depth: 0)
        for annotation in try resolved(page.entries["/Annots"])?.elements ?? [] {
            // Poppler draws an appearance stream on the page itself and ignores its group.
            let appearance = try dictionary(dictionary(annotation)?["/AP"])?["/N"]
            try survey(dictionary(appearance)?["/Resources"], in: .none, depth: 0)
        }
    }

    /// The transparency group to which resources belong.
    private enum Group: Hashable {
        case none
        case isolated
        case nonIsolated
    }

    private struct Visit: Hashable {
        let number: Int
        let group: Group
    }

    /// Whether an object is read for the first time in such a group.
    private mutating func isNew(_ object: PDFObject?, in group: Group) -> Bool {
        guard let number = object?.reference else { return true }
        return visited.insert(Visit(number: number, group: group)).inserted
    }

    private mutating func survey(_ resources: PDFObject?, in group: Group, depth: Int) throws(Failure) {
        guard depth <= Self.maximumDepth, isNew(resources, in: group), let resources = try dictionary(resources) else {
            return
        }
        for state in try entries(of: "/ExtGState", resources) { try surveyState(state, in: group, depth: depth) }
        for space in try entries(of: "/ColorSpace", resources) { try surveySpace(space) }
        for font in try entries(of: "/Font", resources) { try surveyFont(font) }
        for part in try entries(of: "/XObject", resources) + entries(of: "/Pattern", resources) {
            try surveyForm(part, in: group, depth: depth)
        }
    }

    private mutating func surveyState(_ object: PDFObject, in group: Group, depth: Int) throws(Failure) {
        guard let state = try dictionary(object) else { return }
        if let mode = try resolved(state["/BM"])?.blendMode {
            if Self.nonSeparableModes.contains(mode) { hasNonSeparableMode = true }
            if group == .nonIsolated { note(.blendingGroup) }
        }
        guard let mask = try dictionary(state["/SMask"]), let form = try dictionary(mask["/G"]) else { return }
        hasMaskOrGroup = true
        // A mask's group starts from a transparent backdrop, like an isolated group (11.5.3).
        try survey(form["/Resources"], in: .isolated, depth: depth + 1)
    }

    /// - Parameter depth: at most 2, for a Pattern space over an Indexed space over another space.
    private mutating func surveySpace(_ object: PDFObject?, depth: Int = 0) throws(Failure) {
        guard depth <= 2, let space = try resolved(object)?.elements, space.count >= 2 else { return }
        let colorants = try resolved(space[1])
        switch space[0].name {
        case "/Separation": if colorants?.name == "/None" { note(.noneInk) }
        case "/DeviceN": if colorants?.elements?.allSatisfy({ $0.name == "/None" }) == true { note(.noneInk) }
        case "/Indexed", "/Pattern": try surveySpace(colorants, depth: depth + 1)
        default: break
        }
    }

    /// Surveys a form, a pattern or an image.
    private mutating func surveyForm(_ object: PDFObject?, in outer: Group, depth: Int) throws(Failure) {
        guard isNew(object, in: outer), let form = try dictionary(object) else { return }
        if form["/Subtype"]?.name == "/Image" {
            try surveySpace(form["/ColorSpace"])
            if let mask = try dictionary(form["/SMask"]) {
                hasMaskOrGroup = true
                if mask["/Matte"] != nil { note(.matte) }
            }
            return
        }
        var inner = outer
        if let group = try dictionary(form["/Group"]), group["/S"]?.name == "/Transparency" {
            hasMaskOrGroup = true
            inner = try resolved(group["/I"])?.boolean == true ? .isolated : .nonIsolated
            try noteKnockout(of: group, object)
        }
        guard let own = form["/Resources"] else { return }
        try survey(own, in: inner, depth: depth + 1)
    }

    private mutating func noteKnockout(of group: PDFDictionary, _ form: PDFObject?) throws(Failure) {
        guard let number = form?.reference, form?.generation == 0, knockoutForms.count < Self.maximumKnockoutFormCount,
            try resolved(group["/K"])?.boolean == true
        else { return }
        knockoutForms.insert(number)
    }

    private mutating func surveyFont(_ object: PDFObject) throws(Failure) {
        guard firstGap != .colouredGlyphs, let font = try dictionary(object), font["/Subtype"]?.name == "/Type3",
            let glyphs = try dictionary(font["/CharProcs"])
        else { return }
        for glyph in glyphs.entries.prefix(Self.maximumGlyphCount) {
            guard let number = glyph.value.reference, glyphsLeft > 0 else { return }
            glyphsLeft -= 1
            if let content = try objects.decodedData(ofStream: number, atMost: Self.maximumGlyphLength),
                Self.setsColours(content)
            {
                return note(.colouredGlyphs)
            }
        }
    }

    /// Whether a glyph description begins with `d0` and then sets a colour, or draws an XObject, a shading or an image.
    private static func setsColours(_ content: [UInt8]) -> Bool {
        var scanner = PDFScanner(content[...])
        var allowsColours = false
        while let object = scanner.nextObject() {
            guard object.bytes.count <= 3, object.number == nil else { continue }
            switch String(decoding: object.bytes, as: UTF8.self) {
            case "d0": allowsColours = true
            case "d1": return false
            case "g", "G", "rg", "RG", "k", "K", "sc", "SC", "scn", "SCN", "sh", "Do", "BI": return allowsColours
            default: break
            }
        }
        return false
    }

    private mutating func note(_ gap: CairoGap) { firstGap = firstGap ?? gap }

    private mutating func entries(of key: String, _ resources: PDFDictionary) throws(Failure) -> [PDFObject] {
        try dictionary(resources[key])?.entries.map(\.value) ?? []
    }

    private mutating func dictionary(_ object: PDFObject?) throws(Failure) -> PDFDictionary? {
        try resolved(object)?.dictionary
    }

    /// The object to which a reference points; `nil` if too many objects have been read.
    private mutating func resolved(_ object: PDFObject?) throws(Failure) -> PDFObject? {
        guard object?.reference != nil else { return object }
        objectsLeft -= 1
        return objectsLeft < 0 ? nil : try objects.resolved(object)
    }
}
