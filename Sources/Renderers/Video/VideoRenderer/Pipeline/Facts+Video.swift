internal import Media

extension Facts {
    /// Sets the size as shown, and the orientation unless it is upright.
    mutating func add(_ presentation: Presentation) {
        width = presentation.shownSize.width
        height = presentation.shownSize.height
        if presentation.orientation != .upright { orientation = presentation.orientation.rawValue }
    }

    /// Sets transparency, colour space and dynamic range.
    mutating func add(_ colour: ColourDescription) {
        hasAlpha = colour.hasAlpha
        colorSpace = colour.spaceName
        hdr = colour.transfer.name
    }
}
