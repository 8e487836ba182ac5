internal import Media

/// The geometry of the icon's sheet of paper, in pixels.
struct IconSheet {
    typealias Point = SIMD2<Float>

    let outline: ConvexShape
    let paper: ConvexShape
    let fold: ConvexShape
    let badge: RoundedRectangle
    /// The free area above the badge, for marks.
    let freeArea: (origin: Point, size: Point)

    init(in size: PixelSize) {
        let height = 0.84 * min(Float(size.height), Float(size.width) * 1.2)
        let width = height * 0.76
        let origin = Point(Float(size.width) - width, Float(size.height) - height) / 2
        let corner = height * 0.035
        let cut = height * 0.22
        func sheet(inset: Float) -> ConvexShape {
            // Corners inside the border have a smaller radius, which keeps the border's width even.
            let radius = max(corner - inset, 0)
            let inner = inset + radius
            let (left, top) = (origin.x + inner, origin.y + inner)
            let (right, bottom) = (origin.x + width - inner, origin.y + height - inner)
            // The cut edge is inset by the same distance as the others.
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
        // The fold keeps the border's width from the border, which is √2 times as far along an axis; a small fold is a
        // dot.
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
