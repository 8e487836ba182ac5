public import Media

/// The rendition of a file without a preview: a sheet of paper with the type's letters, drawn for the very size asked for.
///
/// Shapes are signed distances and edges one pixel wide, so the icon is as crisp at 32 × 32 as at 1600 × 1600.
public enum FileTypeIcon {
    /// Draws the icon, in the middle of the background.
    ///
    /// - Parameter size: at least 1 × 1.
    /// - Returns: RGB.
    public static func draw(for mediaType: MediaType, size: PixelSize, background: Colour = .white) -> Bitmap {
        let family = IconFamily(of: mediaType)
        let sheet = Sheet(in: size)
        var canvas = Canvas(size: size, background: background)
        canvas.fill(sheet.outline, with: family.shade(of: background))
        canvas.fill(sheet.paper, with: .white)
        canvas.fill(sheet.fold, with: family.pale)
        for mark in family.marks(on: sheet) { canvas.fill(mark, with: family.pale) }
        canvas.fill(sheet.badge, with: family.colour)
        for stroke in label(for: mediaType, on: sheet.badge) { canvas.fill(stroke, with: .white) }
        return canvas.bitmap
    }

    private static func label(for mediaType: MediaType, on badge: RoundedRectangle) -> [Stroke] {
        let text = IconLabel.text(for: mediaType)
        let weight: Float = 0.087
        let room = badge.half * SIMD2(2 * 0.80, 2 * 0.58) / (1 + 2 * weight)
        let height = min(room.y, room.x / LabelStrokes.width(of: text))
        return LabelStrokes.strokes(of: text, centre: badge.centre, height: height, weight: weight)
    }

    /// The letters on the icon: `DOCX`, `CSV`, `FILE`.
    public static func label(for mediaType: MediaType) -> String { IconLabel.text(for: mediaType) }
}

/// Where the parts of the sheet lie, in pixels.
struct Sheet {
    typealias Point = SIMD2<Float>

    let outline: ConvexShape
    let paper: ConvexShape
    let fold: ConvexShape
    let badge: RoundedRectangle
    /// What lies free above the badge, for marks.
    let freeArea: (origin: Point, size: Point)

    init(in size: PixelSize) {
        let height = 0.84 * min(Float(size.height), Float(size.width) * 1.2)
        let width = height * 0.76
        let origin = Point(Float(size.width) - width, Float(size.height) - height) / 2
        let corner = height * 0.035
        let cut = height * 0.22
        func sheet(inset: Float) -> ConvexShape {
            // Inside the border the corners are rounder by its width less, so that it is even all around.
            let radius = max(corner - inset, 0)
            let inner = inset + radius
            let (left, top) = (origin.x + inner, origin.y + inner)
            let (right, bottom) = (origin.x + width - inner, origin.y + height - inner)
            // The cut edge moves inwards by the same distance as the others.
            let slant = cut - inner * (2 - Float(2).squareRoot())
            return ConvexShape(
                [
                    Point(left, top), Point(right - slant, top), Point(right, top + slant), Point(right, bottom),
                    Point(left, bottom),
                ], radius: radius)
        }
        let border = max(height * 0.012, 0.75)
        outline = sheet(inset: 0)
        paper = sheet(inset: border)
        let hinge = Point(origin.x + width - cut, origin.y + cut)
        let round = corner * 0.5
        // The fold keeps the border's width away from the border (along an axis that is √2 as far); a small one is a dot.
        let near = min(round + (2 * border + round) * Float(2).squareRoot(), cut - round)
        fold = ConvexShape(
            [
                Point(hinge.x + round, hinge.y - cut + near), Point(hinge.x + cut - near, hinge.y - round),
                Point(hinge.x + round, hinge.y - round),
            ], radius: round)
        let half = Point(width * 0.5 + height * 0.045, height * 0.145)
        badge = RoundedRectangle(
            centre: Point(origin.x + width / 2, origin.y + height * 0.70), half: half, radius: height * 0.045)
        freeArea = (
            Point(origin.x + width * 0.16, origin.y + height * 0.20), Point(width * 0.68, height * 0.30)
        )
    }
}
