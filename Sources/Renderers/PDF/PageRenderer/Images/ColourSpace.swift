internal import Formats
internal import Media

/// The colour space of an image (ISO 32000-1, 8.6), as far as a reduction of the image depends on it.
enum ColourSpace {
    /// The number of components of a colour space; `nil` for an Indexed space, whose components have no mean, and for
    /// unknown spaces.
    static func componentCount(
        of space: PDFObject?, in objects: inout IndirectObjects
    ) throws(NotReducible) -> Int? {
        let space = try objects.resolvedForReduction(space)
        if let name = space?.name { return componentCount(named: name) }
        guard let parameters = space?.elements, let family = parameters.first?.name else { return nil }
        switch family {
        case "/Separation": return 1
        case "/Lab": return 3
        case "/ICCBased":
            guard parameters.count == 2,
                let profile = try objects.resolvedForReduction(parameters[1])?.dictionary
            else { return nil }
            return try objects.resolvedForReduction(profile["/N"])?.integer
        case "/DeviceN":
            return parameters.count > 1 ? try objects.resolvedForReduction(parameters[1])?.elements?.count : nil
        default: return componentCount(named: family)
        }
    }

    private static func componentCount(named name: String) -> Int? {
        switch name {
        case "/DeviceGray", "/CalGray": 1
        case "/DeviceRGB", "/CalRGB": 3
        case "/DeviceCMYK": 4
        default: nil
        }
    }
}
