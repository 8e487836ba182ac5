internal import Media

/// One component of a picture: a grid of samples, each of which stands for a rectangle of the picture.
struct Plane {
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

    /// The plane in another size.
    ///
    /// - Parameters:
    ///   - size: of the whole picture.
    ///   - area: the part of the resized picture that is kept; all of it where absent.
    func resized(to size: PixelSize, keeping area: PixelArea? = nil) -> Plane {
        let area = area ?? PixelArea(size: size)
        let across = Weights(from: width, extent: extentX, to: size.width, keeping: area.x..<area.x + area.size.width)
        let down = Weights(from: height, extent: extentY, to: size.height, keeping: area.y..<area.y + area.size.height)
        return Plane(
            bytes: PlaneResizer(self, across, down).result(), rowLength: area.size.width,
            extentX: Double(area.size.width), extentY: Double(area.size.height))
    }
}
