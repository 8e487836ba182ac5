public import Media

/// A text in the cache, or the failure to read it.
public enum StoredText: Hashable, Sendable {
    case text(SourceText)
    /// The same bytes would fail again.
    case failure(StoredFailure)
}

extension StoredText {
    /// The object of the record of this part's text.
    func json(of part: TextPart) -> JSON {
        switch self {
        case .text(.page(let text)): .object(["text": text.json])
        case .text(.document(let text)): .object(["document": text.json])
        case .failure(let stored): stored.json(recipe: CacheLayout.textName(part))
        }
    }

    /// The text of a page record's object, in the same form as `json`.
    static func utf8(of page: PageText) -> [UInt8] { Array("{\"text\": ".utf8) + page.jsonBytes + Array("}".utf8) }

    /// Text or failure from a record's object; `nil` for another part's.
    init?(json: JSON, of part: TextPart) {
        if let text = Self.text(json) {
            guard text.part == part else { return nil }
            self = .text(text)
        } else if let stored = StoredFailure(json: json), json["recipe"]?.string == CacheLayout.textName(part) {
            self = .failure(stored)
        } else {
            return nil
        }
    }

    private static func text(_ json: JSON) -> SourceText? {
        if let text = json["text"].flatMap(PageText.init(json:)) { return .page(text) }
        return json["document"].flatMap(DocumentText.init(json:)).map(SourceText.document)
    }
}
