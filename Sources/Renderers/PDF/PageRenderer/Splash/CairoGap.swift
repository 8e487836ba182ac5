package import Formats
package import Media
internal import Rendering

/// What a page may draw with that cairo cannot show, or that Poppler does not tell it; Splash shows it.
///
/// Each is a kind of its own in ISO 32000-1 whose pages come out in wrong colours, not only a little different.
package enum CairoGap: String {
    /// 9.6.5: glyphs that begin with `d0` bring their colours. cairo's fonts of that kind have none before 1.17.6.
    case colouredGlyphs = "Type 3 glyphs in colours of their own"
    /// 11.4.7: what is blended in a group that is not isolated sees the page below. cairo begins each group on nothing.
    case blendingGroup = "blending in a group that is not isolated"
    /// 11.3.5.3: modes that mix colour components. cairo's colours are off by up to 60 levels where the source or what lies
    /// below is partly transparent.
    case nonSeparableMode = "a non-separable blend mode with a soft mask or a group"
    /// 11.6.5.3: a picture that was blended with one colour beforehand, to be divided by its mask.
    case matte = "a soft mask with /Matte"
    /// 8.6.6.4: what is painted in the colorant None leaves no marks.
    case noneInk = "the colorant None"

    /// What of a page by its index only Splash shows, as far as the file's own tables let one tell.
    package static func first(onPage pageIndex: Int, of source: Source) throws(Failure) -> CairoGap? {
        try PDFTables(source, for: pageIndex)?.findings.cairoGap
    }
}
