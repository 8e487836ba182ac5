internal import Media

/// What the samples of a picture are, as far as reducing it needs to know (ISO 32000-1, 8.6).
enum PictureColours {
    /// How many components a colour space has; `nil` where their mean means nothing, or the space is unknown.
    static func componentCount(of space: PDFPiece?, in objects: inout PDFObjects) throws(NotPlain) -> Int? {
        let space = try objects.plain(space)
        if let name = space?.name { return count(ofNamed: name) }
        guard let parts = space?.elements, let family = parts.first?.name else { return nil }
        switch family {
        case "/Separation": return 1
        case "/Lab": return 3
        case "/ICCBased":
            guard parts.count == 2, let profile = try objects.plain(parts[1])?.dictionary else { return nil }
            return try objects.plain(profile["/N"])?.integer
        case "/DeviceN": return parts.count > 1 ? try objects.plain(parts[1])?.elements?.count : nil
        default: return count(ofNamed: family)
        }
    }

    private static func count(ofNamed name: String) -> Int? {
        switch name {
        case "/DeviceGray", "/CalGray": 1
        case "/DeviceRGB", "/CalRGB": 3
        case "/DeviceCMYK": 4
        default: nil
        }
    }
}
