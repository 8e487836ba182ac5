/// A rectangle of pixels.
public struct PixelArea: Hashable, Sendable {
    /// The column of the left edge.
    public var x: Int
    /// The row of the upper edge.
    public var y: Int
    /// Width and height.
    public var size: PixelSize

    /// An area, by default at the upper left corner.
    public init(x: Int = 0, y: Int = 0, size: PixelSize) {
        self.x = x
        self.y = y
        self.size = size
    }
}
