internal import Media

/// Recognises Office Open XML (ECMA-376) by the content type of the package's main part.
enum OpenXML {
    private static let contentTypesName = "[content_types].xml"
    private static let relationshipsName = "_rels/.rels"

    /// The media type of a package; `nil` if no main part has a known content type, or other readers might choose
    /// another main part.
    static func mediaType(of parts: PackageParts, _ source: BoundedSource) throws(Failure) -> MediaType? {
        guard !parts.isAmbiguous(contentTypesName), !parts.isAmbiguous(relationshipsName),
            let types = try parts[contentTypesName]?.content(in: source, limit: 1 << 20)
        else { return nil }
        let contentTypes = ContentTypes(types)
        guard let name = try mainPart(of: parts, source) ?? contentTypes.onlyPart(where: { kinds[$0] != nil }),
            parts[name] != nil, let kind = contentTypes.type(ofPart: name).flatMap({ kinds[$0] })
        else { return nil }
        // A content type without macros is not trusted if the package has macros.
        let hasMacros = parts.hasName(endingWith: "vbaproject.bin")
        return MediaType(rawValue: hasMacros ? macroKinds[kind] ?? kind : kind)
    }

    /// The name of the main part, from the package's relationship to it.
    static func mainPart(of parts: PackageParts, _ source: BoundedSource) throws(Failure) -> String? {
        guard let bytes = try parts[relationshipsName]?.content(in: source, limit: 256 << 10) else { return nil }
        var reader = MarkupReader(decoding: bytes)
        while let tag = reader.nextTag() {
            guard tag.localName == "Relationship", let type = tag["Type"], mainRelationships.contains(type),
                tag["TargetMode"] != "External", let target = tag["Target"]
            else { continue }
            return String(target.drop { $0 == "/" || $0 == "." }.lowercased())
        }
        return nil
    }

    private static let mainRelationships: Set<String> = [
        "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument",
        "http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument",
        "http://schemas.microsoft.com/visio/2010/relationships/document",
        "http://schemas.microsoft.com/xps/2005/06/fixedrepresentation",
        "http://schemas.openxps.org/oxps/v1.0/fixedrepresentation",
    ]

    /// The registered media types by the content type of the main part, in lower case.
    private static let kinds: [String: String] = {
        let openXML = "application/vnd.openxmlformats-officedocument."
        var kinds = [
            "application/vnd.ms-word.document.macroenabled.main+xml":
                "application/vnd.ms-word.document.macroenabled.12",
            "application/vnd.ms-word.template.macroenabledtemplate.main+xml":
                "application/vnd.ms-word.template.macroenabled.12",
            "application/vnd.ms-excel.sheet.macroenabled.main+xml": "application/vnd.ms-excel.sheet.macroenabled.12",
            "application/vnd.ms-excel.template.macroenabled.main+xml":
                "application/vnd.ms-excel.template.macroenabled.12",
            "application/vnd.ms-excel.addin.macroenabled.main+xml": "application/vnd.ms-excel.addin.macroenabled.12",
            "application/vnd.ms-excel.sheet.binary.macroenabled.main":
                "application/vnd.ms-excel.sheet.binary.macroenabled.12",
            "application/vnd.ms-powerpoint.presentation.macroenabled.main+xml":
                "application/vnd.ms-powerpoint.presentation.macroenabled.12",
            "application/vnd.ms-powerpoint.slideshow.macroenabled.main+xml":
                "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
            "application/vnd.ms-powerpoint.template.macroenabled.main+xml":
                "application/vnd.ms-powerpoint.template.macroenabled.12",
            "application/vnd.ms-powerpoint.addin.macroenabled.main+xml":
                "application/vnd.ms-powerpoint.addin.macroenabled.12",
            "application/vnd.ms-visio.drawing.main+xml": "application/vnd.ms-visio.drawing",
            "application/vnd.ms-visio.drawing.macroenabled.main+xml":
                "application/vnd.ms-visio.drawing.macroenabled.12",
            "application/vnd.ms-package.xps-fixeddocumentsequence+xml": "application/vnd.ms-xpsdocument",
            "application/vnd.openxps-fixeddocumentsequence+xml": "application/oxps",
        ]
        for name in [
            "wordprocessingml.document", "wordprocessingml.template", "spreadsheetml.sheet", "spreadsheetml.template",
            "presentationml.presentation", "presentationml.template", "presentationml.slideshow",
        ] {
            kinds["\(openXML)\(name).main+xml"] = openXML + name
        }
        return kinds
    }()

    /// The media types of documents with macros by those of documents without.
    private static let macroKinds: [String: String] = [
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
            "application/vnd.ms-word.document.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template":
            "application/vnd.ms-word.template.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
            "application/vnd.ms-excel.sheet.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template":
            "application/vnd.ms-excel.template.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation":
            "application/vnd.ms-powerpoint.presentation.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow":
            "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
        "application/vnd.openxmlformats-officedocument.presentationml.template":
            "application/vnd.ms-powerpoint.template.macroenabled.12",
    ]
}
