internal import Media

/// The limits of texts that people enter.
public enum TextRules {
    /// The longest title of a document, in characters.
    public static let longestTitle = 100
    /// The longest description of a document, in characters.
    public static let longestDescription = 500
    /// The longest name of a school, in characters.
    public static let longestSchoolName = 200
    /// The longest name of a template, in characters.
    public static let longestTemplateName = 100
    /// The longest body of a template, in characters.
    public static let longestTemplateBody = 10_000
    /// The most bytes of UTF-8 in a title or name, as entered and as folded: a hundred characters of 25 bytes, such as
    /// families of four. Both are indexed, and PostgreSQL takes 2,704 bytes for an index row
    /// (postgresql.org/docs/current/btree.html), which also has the IDs.
    public static let mostNameBytes = 2500

    /// A title without white space at its ends.
    ///
    /// - Throws: `invalid` if it is empty, too long, or has control characters.
    public static func title(_ text: String) throws(DocumentError) -> String {
        try required(text, "title", "Title", atMost: longestTitle)
    }

    /// A description without white space at its ends; `nil` if nothing is left.
    ///
    /// - Throws: `invalid` if it is too long or has control characters other than line breaks.
    public static func description(_ text: String?) throws(DocumentError) -> String? {
        guard let text else { return nil }
        let trimmed = String(text[...].trimmingSpaces)
        if trimmed.isEmpty { return nil }
        try requireShort(trimmed, "description", "Description", atMost: longestDescription)
        guard isClean(trimmed, allowsLines: true) else { throw unprintable("description", "Description") }
        return trimmed
    }

    /// A school's name without white space at its ends.
    ///
    /// - Throws: `invalid`, as for titles.
    public static func schoolName(_ text: String) throws(DocumentError) -> String {
        try required(text, "name", "Name", atMost: longestSchoolName)
    }

    /// A template's name without white space at its ends.
    ///
    /// - Throws: `invalid`, as for titles.
    public static func templateName(_ text: String) throws(DocumentError) -> String {
        try required(text, "name", "Name", atMost: longestTemplateName)
    }

    /// A template's body, unchanged.
    ///
    /// - Throws: `invalid` if it is blank, or too long, in characters or in bytes.
    public static func templateBody(_ text: String) throws(DocumentError) -> String {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw .invalid(field: "body", message: "Body is required.")
        }
        try requireShort(text, "body", "Body", atMost: longestTemplateBody)
        // Characters of several scalars make a text of few characters long.
        let mostBytes = longestTemplateBody * 4
        guard text.utf8.count <= mostBytes else {
            throw .invalid(
                field: "body", message: "Body must be at most \(mostBytes) bytes. Some emoji take many bytes.")
        }
        guard isClean(text, allowsLines: true) else { throw unprintable("body", "Body") }
        return text
    }

    private static func required(
        _ text: String, _ field: String, _ label: String, atMost limit: Int
    ) throws(DocumentError) -> String {
        let trimmed = String(text[...].trimmingSpaces)
        if trimmed.isEmpty { throw .invalid(field: field, message: "\(label) is required.") }
        try requireShort(trimmed, field, label, atMost: limit)
        guard fitsIndex(trimmed) else {
            throw .invalid(
                field: field,
                message: "\(label) must be at most \(mostNameBytes) bytes. Letters with many marks take many bytes.")
        }
        guard isClean(trimmed, allowsLines: false) else { throw unprintable(field, label) }
        return trimmed
    }

    /// The beginning of an external name that is within the limits.
    ///
    /// - Parameter limit: in characters.
    public static func beginning(ofName name: String, atMost limit: Int) -> String {
        var beginning = name.prefix(limit)
        while !fitsIndex(String(beginning)) { beginning.removeLast() }
        return String(beginning)
    }

    private static func fitsIndex(_ name: String) -> Bool {
        max(name.utf8.count, name.folded.utf8.count) <= mostNameBytes
    }

    private static func unprintable(_ field: String, _ label: String) -> DocumentError {
        .invalid(field: field, message: "\(label) contains characters that cannot be displayed. Remove them.")
    }

    /// A character can have any number of combining marks.
    private static func requireShort(
        _ text: String, _ field: String, _ label: String, atMost limit: Int
    ) throws(DocumentError) {
        guard text.utf8.count <= limit * 32, text.count <= limit else {
            throw .invalid(field: field, message: "\(label) must be at most \(limit) characters.")
        }
    }

    private static func isClean(_ text: String, allowsLines: Bool) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: allowsLines
            case 0..<0x20, 0x7F..<0xA0: false
            default: true
            }
        }
    }
}
