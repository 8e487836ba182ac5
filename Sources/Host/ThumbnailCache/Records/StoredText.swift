public import Media

/// A page's text in the cache, or the failure to read it.
public enum StoredText: Hashable, Sendable {
    case text(PageText)
    /// The same bytes would fail again.
    case failure(StoredFailure)
}

extension StoredText {
    /// The object of the record `text-p<number>.json`.
    func json(pageNumber: Int) -> JSON {
        switch self {
        case .text(let text): .object(["text": text.json])
        case .failure(let stored): stored.json(recipe: "text-p\(pageNumber)")
        }
    }

    /// Text or failure from a record's object; `nil` for another page's.
    init?(json: JSON, pageNumber: Int) {
        if let text = json["text"].flatMap(PageText.init(json:)) {
            guard text.pageIndex + 1 == pageNumber else { return nil }
            self = .text(text)
        } else if let stored = StoredFailure(json: json), json["recipe"]?.string == "text-p\(pageNumber)" {
            self = .failure(stored)
        } else {
            return nil
        }
    }
}
