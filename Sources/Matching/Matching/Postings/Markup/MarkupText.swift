/// Converts HTML to plain text for reading.
///
/// The result has no markup. It is not sanitized HTML: a page that shows it must escape it like any text.
public enum MarkupText {
    /// The text without tags, comments, scripts and styles, with paragraphs and items on lines of their own.
    ///
    /// Only HTML's own elements are tags: `List<String>` stays as it is. Control characters, invisible spaces and
    /// direction marks are removed. A text whose tags are escaped (`&lt;p&gt;`), as in feeds, is read as if they were
    /// not.
    public static func plain(_ text: String) -> String {
        var stripper = MarkupStripper(bytes: Array(text.utf8))
        let plain = stripper.plain()
        guard !stripper.hasTags, stripper.hasEscapedBracket else { return plain }
        var second = MarkupStripper(bytes: Array(plain.utf8))
        let inner = second.plain()
        return second.hasTags ? inner : plain
    }

    /// Tags whose content is not text.
    static let silent: Set<String> = [
        "script", "style", "template", "noscript", "iframe", "object", "svg", "math", "head", "title", "textarea",
        "select",
    ]
    /// Tags that begin a line.
    static let blocks: Set<String> = [
        "p", "div", "br", "li", "ul", "ol", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article",
        "header", "footer", "blockquote", "pre", "hr", "dt", "dd", "dl", "main", "nav", "aside", "form", "body",
    ]
    /// The other elements of HTML.
    static let inline: Set<String> = [
        "a", "abbr", "acronym", "address", "area", "audio", "b", "base", "bdi", "bdo", "big", "button", "canvas",
        "caption",
        "center", "cite", "code", "col", "colgroup", "data", "datalist", "del", "details", "dfn", "dialog", "dir", "em",
        "embed", "fieldset", "figcaption", "figure", "font", "frame", "frameset", "hgroup", "html", "i", "img", "input",
        "ins", "kbd", "label", "legend", "link", "map", "mark", "menu", "meta", "meter", "optgroup", "option", "output",
        "param", "picture", "progress", "q", "rp", "rt", "ruby", "s", "samp", "search", "slot", "small", "source",
        "span",
        "strike", "strong", "sub", "summary", "sup", "tbody", "td", "tfoot", "th", "thead", "time", "track", "tt", "u",
        "var", "video", "wbr",
    ]
    /// The named characters that occur in postings.
    static let entities: [String: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "bull": "•", "rsquo": "’", "lsquo": "‘", "ldquo": "“", "rdquo": "”", "hellip": "…", "eacute": "é",
        "egrave": "è",
        "agrave": "à", "ccedil": "ç", "ntilde": "ñ", "oacute": "ó", "uuml": "ü", "ouml": "ö", "auml": "ä", "szlig": "ß",
        "middot": "·", "trade": "™", "reg": "®", "copy": "©", "euro": "€", "pound": "£",
    ]
}
