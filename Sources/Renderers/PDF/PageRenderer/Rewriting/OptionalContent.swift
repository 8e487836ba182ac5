internal import Formats
internal import Media

/// The visibility of optional content groups (layers) according to usage application dictionaries, `/AS` (ISO 32000-1,
/// 8.11.4.4), which Poppler ignores.
enum OptionalContent {
    /// The object that holds the default configuration, with the same visibility in `/ON` and `/OFF`; `nil` if `/AS`
    /// changes nothing.
    ///
    /// - Parameter root: the object number of the catalogue.
    static func change(
        _ root: Int, _ catalogue: PDFDictionary, _ objects: inout IndirectObjects
    ) throws(Failure) -> (number: Int, value: PDFObject)? {
        guard var properties = try objects.resolved(catalogue["/OCProperties"])?.dictionary,
            var configuration = try objects.resolved(properties["/D"])?.dictionary,
            let usages = try objects.resolved(configuration["/AS"])?.elements
        else { return nil }
        let states = try GroupStates(by: usages, &objects)
        if states.isEmpty { return nil }
        configuration["/ON"] = try states.list(configuration["/ON"], adding: states.shown, &objects)
        configuration["/OFF"] = try states.list(configuration["/OFF"], adding: states.hidden, &objects)
        // The innermost indirect object around the configuration is the object to replace.
        if let number = catalogue["/OCProperties"]?.reference, properties["/D"]?.reference == nil {
            properties["/D"] = PDFObject(configuration)
            return (number, PDFObject(properties))
        } else if let number = properties["/D"]?.reference {
            return (number, PDFObject(configuration))
        } else {
            properties["/D"] = PDFObject(configuration)
            var catalogue = catalogue
            catalogue["/OCProperties"] = PDFObject(properties)
            return (root, PDFObject(catalogue))
        }
    }
}

/// The states of optional content groups on screen, according to their own usage dictionaries.
private struct GroupStates {
    /// Object numbers of groups that are on.
    private(set) var shown: [Int] = []
    /// Object numbers of groups that are off.
    private(set) var hidden: [Int] = []

    private static let maximumUsageCount = 64
    private static let maximumGroupCount = 1024

    var isEmpty: Bool { shown.isEmpty && hidden.isEmpty }

    /// - Parameter usages: the usage application dictionaries.
    init(by usages: [PDFObject], _ objects: inout IndirectObjects) throws(Failure) {
        for usage in usages.prefix(Self.maximumUsageCount) {
            guard let entries = try objects.resolved(usage)?.dictionary, entries["/Event"]?.name == "/View",
                let categories = try objects.resolved(entries["/Category"])?.elements,
                categories.contains(where: { $0.name == "/View" }),
                let groups = try objects.resolved(entries["/OCGs"])?.elements
            else { continue }
            for group in groups.prefix(Self.maximumGroupCount) {
                guard let number = group.reference, shown.count + hidden.count < Self.maximumGroupCount,
                    let usage = try objects.resolved(objects.object(number)?.dictionary?["/Usage"])?.dictionary,
                    let view = try objects.resolved(usage["/View"])?.dictionary
                else { continue }
                if view["/ViewState"]?.name == "/OFF" { hidden.append(number) }
                if view["/ViewState"]?.name == "/ON" { shown.append(number) }
            }
        }
    }

    /// The groups of `/ON` or `/OFF` whose usage states nothing, plus the given groups.
    func list(
        _ list: PDFObject?, adding groups: [Int], _ objects: inout IndirectObjects
    ) throws(Failure) -> PDFObject {
        let stated = Set(shown + hidden)
        let kept = try objects.resolved(list)?.elements?.compactMap(\.reference).filter { !stated.contains($0) } ?? []
        return PDFObject("[\((kept + groups).map { "\($0) 0 R" }.joined(separator: " "))]")
    }
}
