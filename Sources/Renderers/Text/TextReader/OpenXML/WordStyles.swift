internal import Media

/// The styles of a Word document, as far as they say what a paragraph is (ECMA-376 part 1, 17.7).
final class WordStyles: XMLHandler {
    static let namespaces = WordParagraphs.namespaces

    /// The statements of one style, without the styles that it is based on.
    private struct Style {
        var name = ""
        var basedOn: String?
        /// 0...8 for headings, 9 for running text.
        var level: Int?
        var isNumbered: Bool?
        var isHidden: Bool?
    }

    private var styles: [String: Style] = [:]
    private var current: (id: String, style: Style)?
    /// The default paragraphs' style.
    private var defaultStyle: String?

    var isFinished: Bool { styles.count >= 20_000 }

    func begin(_ name: String, _ attributes: XMLAttributes) {
        if name == "w:style" {
            let id = attributes["w:styleId"] ?? ""
            current = (id, Style())
            if attributes["w:type"] == "paragraph", attributes["w:default"].isOn, defaultStyle == nil {
                defaultStyle = id
            }
            return
        }
        guard current != nil else { return }
        let value = attributes["w:val"]
        switch name {
        case "w:name": current!.style.name = (value ?? "").lowercased()
        case "w:basedOn": current!.style.basedOn = value
        case "w:outlineLvl": current!.style.level = value.flatMap { Int($0) }
        case "w:numId": current!.style.isNumbered = value != "0"
        case "w:vanish": current!.style.isHidden = value.isOnByDefault
        default: break
        }
    }

    func end(_ name: String) {
        guard name == "w:style", let (id, style) = current else { return }
        if styles[id] == nil { styles[id] = style }
        current = nil
    }

    func add(_ characters: UnsafeBufferPointer<UInt8>) {}

    /// The outline level of a paragraph of this style, 0...8; `nil` for running text.
    func level(of id: String?) -> Int? {
        if let level = first(id, \.level) { return level < 9 ? level : nil }
        let isHeading = first(id) { style in
            style.name.hasPrefix("heading ") || style.name == "title" ? true : nil
        }
        return isHeading == true ? 0 : nil
    }

    /// Whether paragraphs of this style are items of a list.
    func isNumbered(_ id: String?) -> Bool { first(id, \.isNumbered) ?? false }

    /// Whether text of this style is hidden; `nil` if the style does not say.
    func isHidden(_ id: String?) -> Bool? { id == nil ? nil : first(id, \.isHidden) }

    /// A style's value, or the value of the first style in its chain of base styles that has one.
    private func first<Value>(_ id: String?, _ value: (Style) -> Value?) -> Value? {
        var next = id ?? defaultStyle
        // Word allows about ten; a cycle ends here.
        for _ in 0..<32 {
            guard let id = next, let style = styles[id] else { return nil }
            if let value = value(style) { return value }
            next = style.basedOn
        }
        return nil
    }
}

extension String? {
    /// The value of an attribute of the type `ST_OnOff` (ECMA-376 part 1, 22.9.2.7) that is off if absent.
    var isOn: Bool { self.map { !["0", "false", "off"].contains($0) } ?? false }

    /// The value of such an attribute that is on if absent: its element switches something on.
    var isOnByDefault: Bool { self.map { !["0", "false", "off"].contains($0) } ?? true }
}
