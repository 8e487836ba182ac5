internal import Media

/// What the container's header, the codec's headers and the decoded frame say, as facts.
extension Facts {
    mutating func add(_ presentation: Presentation) {
        width = presentation.shownSize.width
        height = presentation.shownSize.height
        if presentation.orientation != .upright { orientation = presentation.orientation.rawValue }
    }

    mutating func add(_ colour: ColourDescription) {
        hasAlpha = colour.hasAlpha
        colorSpace = colour.spaceName
        hdr = colour.transfer.name
    }
}
