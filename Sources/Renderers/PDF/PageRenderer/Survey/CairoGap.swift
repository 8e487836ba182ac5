package import Formats
package import Media

/// A feature of a page that Poppler's cairo backend draws in wrong colours, not just slightly different colours; Splash
/// draws it correctly.
///
/// The numbers are clauses of ISO 32000-1.
package enum CairoGap: String {
    /// 9.6.5: glyph descriptions that begin with `d0` set their own colours, which cairo's fonts do not support before
    /// 1.17.6.
    case colouredGlyphs = "Type 3 glyphs in colours of their own"
    /// 11.4.7: in a non-isolated group, blending starts from the page below. cairo starts each group from a transparent
    /// backdrop.
    case blendingGroup = "blending in a group that is not isolated"
    /// 11.3.5.3: cairo's non-separable blend modes are off by up to 60 levels if the source or its backdrop is partly
    /// transparent.
    case nonSeparableMode = "a non-separable blend mode with a soft mask or a group"
    /// 11.6.5.3: an image that was blended with a matte colour must be divided by its soft mask.
    case matte = "a soft mask with /Matte"
    /// 8.6.6.4: painting in the colorant None leaves no marks.
    case noneInk = "the colorant None"

    /// The first such feature of the page at an index; `nil` if there is none or the document is damaged.
    package static func first(onPage pageIndex: Int, of source: Source) throws(Failure) -> CairoGap? {
        try ParsedDocument(source, for: pageIndex)?.findings.cairoGap
    }
}
