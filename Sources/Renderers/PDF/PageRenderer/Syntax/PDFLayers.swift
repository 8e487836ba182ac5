internal import Media

/// What a document's layers say of themselves for the screen by /AS (ISO 32000-1, 8.11.4.4), which Poppler passes over.
enum PDFLayers {
    /// An object in which /ON and /OFF say the same; `nil` where there is nothing to say.
    static func change(
        _ root: Int, _ catalogue: PDFDictionary, _ objects: inout PDFObjects
    ) throws(Failure) -> (number: Int, value: PDFPiece)? {
        guard var properties = try objects.resolved(catalogue["/OCProperties"])?.dictionary,
            var configuration = try objects.resolved(properties["/D"])?.dictionary,
            let usages = try objects.resolved(configuration["/AS"])?.elements
        else { return nil }
        let states = try LayerStates(on: usages, &objects)
        if states.isEmpty { return nil }
        configuration["/ON"] = try states.list(configuration["/ON"], adding: states.shown, &objects)
        configuration["/OFF"] = try states.list(configuration["/OFF"], adding: states.hidden, &objects)
        // The nearest object of its own that holds the configuration is the one to change.
        if let number = catalogue["/OCProperties"]?.reference, properties["/D"]?.reference == nil {
            properties["/D"] = configuration.piece
            return (number, properties.piece)
        } else if let number = properties["/D"]?.reference {
            return (number, configuration.piece)
        } else {
            properties["/D"] = configuration.piece
            var catalogue = catalogue
            catalogue["/OCProperties"] = properties.piece
            return (root, catalogue.piece)
        }
    }
}

/// What layers' own usage says of the screen.
private struct LayerStates {
    private(set) var shown: [Int] = []
    private(set) var hidden: [Int] = []

    /// More layers than these are not looked at.
    private static let most = 1024

    var isEmpty: Bool { shown.isEmpty && hidden.isEmpty }

    /// - Parameter usages: the dictionaries of /AS.
    init(on usages: [PDFPiece], _ objects: inout PDFObjects) throws(Failure) {
        for usage in usages.prefix(64) {
            guard let entries = try objects.resolved(usage)?.dictionary, entries["/Event"]?.name == "/View",
                let categories = try objects.resolved(entries["/Category"])?.elements,
                categories.contains(where: { $0.name == "/View" }),
                let layers = try objects.resolved(entries["/OCGs"])?.elements
            else { continue }
            for layer in layers.prefix(Self.most) {
                guard let number = layer.reference, shown.count + hidden.count < Self.most,
                    let usage = try objects.resolved(objects.object(number)?.dictionary?["/Usage"])?.dictionary,
                    let view = try objects.resolved(usage["/View"])?.dictionary
                else { continue }
                if view["/ViewState"]?.name == "/OFF" { hidden.append(number) }
                if view["/ViewState"]?.name == "/ON" { shown.append(number) }
            }
        }
    }

    /// A list of layers without those whose usage speaks for itself, and with those given.
    func list(_ list: PDFPiece?, adding layers: [Int], _ objects: inout PDFObjects) throws(Failure) -> PDFPiece {
        let spoken = Set(shown + hidden)
        let kept = try objects.resolved(list)?.elements?.compactMap(\.reference).filter { !spoken.contains($0) } ?? []
        return PDFPiece("[\((kept + layers).map { "\($0) 0 R" }.joined(separator: " "))]")
    }
}
