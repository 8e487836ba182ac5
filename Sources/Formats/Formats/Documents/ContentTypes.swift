/// A package's `[Content_Types].xml` (ECMA-376 part 2, 7.2): content types by part and by extension, all in lower case.
struct ContentTypes {
    private var overrides: [String: String] = [:]
    private var defaults: [String: String] = [:]

    init(_ bytes: Bytes) {
        var reader = MarkupReader(decoding: bytes)
        while let tag = reader.nextTag() {
            guard let type = tag["ContentType"]?.lowercased() else { continue }
            if tag.localName == "Override", let name = tag["PartName"]?.lowercased() {
                overrides[String(name.drop { $0 == "/" })] = type
            } else if tag.localName == "Default", let fileExtension = tag["Extension"]?.lowercased() {
                defaults[fileExtension] = type
            }
        }
    }

    /// The content type of a part; `nil` if neither its name nor its extension has one.
    func type(ofPart name: String) -> String? {
        if let type = overrides[name] { return type }
        return name.lastIndex(of: ".").flatMap { defaults[String(name[name.index(after: $0)...])] }
    }

    /// The name of the only part whose own type fits; `nil` if none or several fit.
    func onlyPart(where fits: (String) -> Bool) -> String? {
        let parts = overrides.filter { fits($0.value) }
        return parts.count == 1 ? parts.first?.key : nil
    }
}
