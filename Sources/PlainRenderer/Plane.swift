internal import Media

/// One component of a picture: a grid of samples, each of which stands for a rectangle of the picture.
struct Plane {
    /// The samples that are held decoded at once, at most; larger pictures are left to libvips, which streams them.
    static let largestSampleCount = 128 << 20

    var width: Int
    var height: Int
    /// Samples from one row to the next, at least `width`.
    var rowLength: Int
    /// Rows from the top; at least `rowLength` × `height`.
    var bytes: [UInt8]
    /// How many samples the whole picture is wide and high: less than `width` and `height`, by less than 1, where the last
    /// column or row reaches over the picture's edge.
    var extentX: Double
    var extentY: Double

    /// A plane over decoded rows, of which the part inside the picture counts.
    init(bytes: [UInt8], rowLength: Int, extentX: Double, extentY: Double) {
        width = Int(extentX.rounded(.up))
        height = Int(extentY.rounded(.up))
        precondition(width <= rowLength && rowLength * height <= bytes.count, "the rows hold the picture")
        self.bytes = bytes
        self.rowLength = rowLength
        self.extentX = extentX
        self.extentY = extentY
    }

    /// Planes of one picture in another size.
    ///
    /// - Parameters:
    ///   - size: of the whole picture.
    ///   - area: the part of the resized picture that is kept; all of it where absent.
    ///   - threadCount: how many threads may work on it.
    static func resized(
        _ planes: [Plane], to size: PixelSize, keeping area: PixelArea? = nil, threadCount: Int
    ) -> [Plane] {
        let area = area ?? PixelArea(size: size)
        // Planes of one resolution, as chroma's are, have their weights in common.
        var weights: (plane: Plane, across: Weights, down: Weights)?
        return planes.map { plane in
            if weights?.plane.hasGrid(of: plane) != true {
                let across = Weights(
                    from: plane.width, extent: plane.extentX, to: size.width, keeping: area.x..<area.x + area.size.width
                )
                let down = Weights(
                    from: plane.height, extent: plane.extentY, to: size.height,
                    keeping: area.y..<area.y + area.size.height)
                weights = (plane, across, down)
            }
            return Plane(
                bytes: PlaneResizer(plane, weights!.across, weights!.down).result(threadCount: threadCount),
                rowLength: area.size.width,
                extentX: Double(area.size.width), extentY: Double(area.size.height))
        }
    }

    private func hasGrid(of other: Plane) -> Bool {
        width == other.width && height == other.height && extentX == other.extentX && extentY == other.extentY
    }
}
