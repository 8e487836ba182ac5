internal import Media

/// A group of media types whose icons share a colour and marks.
enum IconFamily: CaseIterable {
    case document, table, slides, text, audio, video, picture, archive, code, other

    init(of mediaType: MediaType) {
        let name = mediaType.rawValue
        func has(_ words: String...) -> Bool { words.contains { name.contains($0) } }
        self =
            if has("spreadsheet", "excel", "csv", "tab-separated", "numbers") {
                .table
            } else if has("presentation", "powerpoint", "keynote") {
                .slides
            } else if has("word", "opendocument.text", "rtf", "pdf", "pages", "ooxml-protected") {
                .document
            } else if name.hasPrefix("audio/") {
                .audio
            } else if name.hasPrefix("video/") {
                .video
            } else if name.hasPrefix("image/") {
                .picture
            } else if has("html", "json", "xml", "script", "javascript", "python", "executable", "css", "text/x-") {
                .code
            } else if has("epub") {
                .text
            } else if has("zip", "tar", "rar", "7z", "bzip", "xz", "compress", "archive") {
                .archive
            } else if name.hasPrefix("text/") || name.hasPrefix("message/") {
                .text
            } else { .other }
    }

    var colour: Colour {
        switch self {
        case .document: Colour(parsing: "2f6fd0")!
        case .table: Colour(parsing: "1e8e4e")!
        case .slides: Colour(parsing: "d9622b")!
        case .text: Colour(parsing: "66707d")!
        case .audio: Colour(parsing: "8a4fc4")!
        case .video: Colour(parsing: "c23b52")!
        case .picture: Colour(parsing: "1690a8")!
        case .archive: Colour(parsing: "8c6239")!
        case .code: Colour(parsing: "12836f")!
        case .other: Colour(parsing: "4d5a6b")!
        }
    }

    /// The colour mixed with white, for the marks and the fold.
    var pale: Colour { colour.mixed(with: .white, 0.74) }

    /// The colour of the sheet's edge, between the colour and the background.
    func shade(of background: Colour) -> Colour { colour.mixed(with: background, 0.45) }

    /// The marks above the badge.
    func marks(on sheet: IconSheet) -> [any DistanceField] {
        switch self {
        case .video: [Self.polygon([0.36, 0.16, 0.72, 0.5, 0.36, 0.84], on: sheet)]
        case .picture:
            [
                Self.polygon([0.4, 0.32, 0.72, 0.88, 0.08, 0.88], on: sheet),
                Self.polygon([0.74, 0.52, 1, 0.88, 0.6, 0.88], on: sheet), Self.disc(0.14, 0.2, 0.1, on: sheet),
            ]
        default: bars(on: sheet)
        }
    }

    /// - Parameter corners: x and y as fractions of the free area, clockwise.
    private static func polygon(_ corners: [Float], on sheet: IconSheet) -> ConvexShape {
        let (origin, size) = sheet.freeArea
        let points = stride(from: 0, to: corners.count, by: 2).map {
            origin + SIMD2(corners[$0], corners[$0 + 1]) * size
        }
        return ConvexShape(points, radius: size.y * 0.04)
    }

    /// A disc; its radius is a fraction of the free area's width.
    private static func disc(_ x: Float, _ y: Float, _ radius: Float, on sheet: IconSheet) -> RoundedRectangle {
        let (origin, size) = sheet.freeArea
        let half = radius * size.x
        return RoundedRectangle(centre: origin + SIMD2(x, y) * size, half: SIMD2(half, half), radius: half)
    }

    /// The marks made of bars: lines of text, cells, sound levels.
    private func bars(on sheet: IconSheet) -> [RoundedRectangle] {
        let (origin, size) = sheet.freeArea
        func bar(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> RoundedRectangle {
            let half = SIMD2(width, height) * size / 2
            return RoundedRectangle(
                centre: origin + SIMD2(x, y) * size + half, half: half, radius: min(half.x, half.y) * 0.6)
        }
        switch self {
        case .table:
            return (0..<4).flatMap { row in
                (0..<3).map { bar(Float($0) * 0.35, 0.16 + Float(row) * 0.235, 0.3, 0.15) }
            }
        case .slides: return [bar(0, 0.16, 1, 0.62), bar(0, 0.9, 0.6, 0.1)]
        case .audio:
            return [0.3, 0.62, 0.95, 0.5, 0.78, 0.36].enumerated().map { index, height in
                bar(Float(index) * 0.18, (1 - height) / 2 + 0.05, 0.1, height)
            }
        case .archive: return (0..<5).map { bar($0 % 2 == 0 ? 0.36 : 0.5, Float($0) * 0.2, 0.14, 0.16) }
        case .code:
            return [
                bar(0, 0.14, 0.5, 0.11), bar(0.2, 0.37, 0.7, 0.11), bar(0.2, 0.6, 0.45, 0.11), bar(0, 0.83, 0.6, 0.11),
            ]
        case .document, .text, .video, .picture, .other:
            return [bar(0, 0.14, 0.55, 0.11), bar(0, 0.37, 1, 0.11), bar(0, 0.6, 1, 0.11), bar(0, 0.83, 0.7, 0.11)]
        }
    }
}

extension Colour {
    /// This colour mixed with a fraction of another.
    func mixed(with other: Colour, _ part: Float) -> Colour {
        func mix(_ own: UInt8, _ other: UInt8) -> UInt8 {
            UInt8((Float(own) + (Float(other) - Float(own)) * part).rounded())
        }
        return Colour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
