internal import Media

extension Orientation {
    /// Applies the orientation. The picture must be in memory: most orientations read the picture from the bottom or
    /// sideways.
    func applied(to picture: VipsPicture) throws(Failure) -> VipsPicture {
        var picture = picture
        for step in steps { picture = try step.operation(on: picture).output() }
        return picture
    }

    private var steps: [Step] {
        switch self {
        case .upright: []
        case .mirrored: [.flip(.horizontal)]
        case .halfTurn: [.rotate(2)]
        case .flipped: [.flip(.vertical)]
        case .transposed: [.rotate(1), .flip(.horizontal)]
        case .quarterTurn: [.rotate(1)]
        case .transversed: [.rotate(1), .flip(.vertical)]
        case .threeQuarterTurn: [.rotate(3)]
        }
    }

    private enum Step {
        /// By quarter turns clockwise.
        case rotate(Int)
        case flip(Direction)

        /// The values of `VipsDirection`.
        enum Direction: Int {
            case horizontal = 0
            case vertical = 1
        }

        func operation(on picture: VipsPicture) -> VipsOperation {
            switch self {
            case .rotate(let quarters): VipsOperation("rot", on: picture).with("angle", .integer(quarters))
            case .flip(let direction):
                VipsOperation("flip", on: picture).with("direction", .integer(direction.rawValue))
            }
        }
    }
}
