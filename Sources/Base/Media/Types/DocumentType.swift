/// A document type, which allows certain file extensions and contents.
public enum DocumentType: String, Hashable, Sendable, CaseIterable {
    case highlightVideo = "highlight_video"
    case transcript
    case resume
    case recommendationLetter = "rec_letter"
    case questionnaire
    case statsSheet = "stats_sheet"

    /// The name for people.
    public var label: String {
        switch self {
        case .highlightVideo: "Highlight Video"
        case .transcript: "Transcript"
        case .resume: "Resume"
        case .recommendationLetter: "Recommendation Letter"
        case .questionnaire: "Questionnaire"
        case .statsSheet: "Stats Sheet"
        }
    }

    /// The allowed extensions in the order of the message.
    public var extensions: [FileExtension] {
        switch self {
        case .highlightVideo: [.mp4, .mov, .avi]
        case .transcript: [.pdf, .txt]
        case .resume: [.pdf, .doc, .docx]
        case .recommendationLetter: [.pdf]
        case .questionnaire: [.pdf, .doc, .docx]
        case .statsSheet: [.csv, .xls, .xlsx]
        }
    }

    /// Checks a file's name and content against this type's rule.
    ///
    /// - Parameters:
    ///   - fileName: the name as the person gave it; only its extension counts, its case does not.
    ///   - facts: the sniffer's; a decoder's facts are not trusted.
    /// - Throws: `refusedType`; the message lists the allowed extensions.
    public func check(fileName: String, facts: Facts) throws(Failure) {
        guard let found = FileExtension(ofFileName: fileName), extensions.contains(found) else {
            throw refusal(detail: "the name does not end in an allowed extension")
        }
        guard found.allows(facts) else {
            throw refusal(detail: "the content is \(facts.mediaType), which .\(found.rawValue) does not allow")
        }
    }

    /// Checks a file's name and the type that its first bytes suggest, before the rest arrives.
    ///
    /// Containers tell their kind at the end of the file, so `check` may still refuse a file that passes here.
    ///
    /// - Parameter facts: from the sniffer, for the first bytes; `nil` checks only the name.
    /// - Throws: `refusedType`, as `check` does.
    public func checkBeginning(fileName: String, facts: Facts?) throws(Failure) {
        guard let found = FileExtension(ofFileName: fileName), extensions.contains(found) else {
            throw refusal(detail: "the name does not end in an allowed extension")
        }
        guard let facts, !found.mayBegin(as: facts.mediaType) else { return }
        throw refusal(detail: "the content begins as \(facts.mediaType), which .\(found.rawValue) does not allow")
    }

    private func refusal(detail: String) -> Failure {
        let list = extensions.map { ".\($0.rawValue)" }.joined(separator: ", ")
        return Failure(.refusedType, message: "Invalid file type. \(label) requires \(list).", detail: detail)
    }
}

/// The extensions that document types allow.
public enum FileExtension: String, Hashable, Sendable, CaseIterable {
    case mp4, mov, avi, pdf, txt, csv, doc, docx, xls, xlsx

    /// The extension after the last dot of a name, in any case; `nil` if no document type allows it.
    public init?(ofFileName name: String) {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(rawValue: name[name.index(after: dot)...].lowercased())
    }

    /// Whether a file with these facts may have this extension.
    func allows(_ facts: Facts) -> Bool {
        let type = facts.mediaType
        return switch self {
        case .mp4, .mov: [.mp4, .quickTime, .m4v, .threeGPP].contains(type) && facts.hasVideo == true
        case .avi: type == .avi
        case .pdf: type == .pdf
        case .txt: type.isPlainText
        // The sniffer may report a short table as plain text.
        case .csv: type == .csv || type == .plainText
        case .doc: type == .word || type == .rtf
        case .xls: type == .excel
        // An encrypted package does not reveal which of the two it is.
        case .docx: type == .wordOpenXML || type == .encryptedOpenXML
        case .xlsx: type == .excelOpenXML || type == .encryptedOpenXML
        }
    }
}

extension FileExtension {
    /// Whether a file that may have this extension can have first bytes of a type.
    fileprivate func mayBegin(as type: MediaType) -> Bool {
        return switch self {
        case .mp4, .mov: [.mp4, .quickTime, .m4v, .threeGPP, .octetStream].contains(type)
        case .avi: type == .avi
        case .pdf: type == .pdf
        // A character may be incomplete.
        case .txt, .csv: type.isPlainText || type == .octetStream
        case .doc: type == .rtf || type.isOLE
        case .xls: type.isOLE
        case .docx, .xlsx: type == .zip || type.isOLE || type.rawValue.hasPrefix("application/vnd.openxmlformats")
        }
    }
}

extension MediaType {
    /// Whether the file is an OLE container, whose directory may lie anywhere in it.
    fileprivate var isOLE: Bool { [.oleStorage, .word, .excel, .powerPoint, .encryptedOpenXML].contains(self) }

    /// Whether this is text that a person may keep in a `.txt` file, even if the sniffer is more specific: a table, a
    /// mail, data. Markup and scripts are not.
    fileprivate var isPlainText: Bool {
        let exact: Set<String> = [
            "text/plain", "text/csv", "text/tab-separated-values", "text/calendar", "text/vcard", "application/json",
            "message/rfc822", "message/news",
        ]
        return exact.contains(rawValue)
    }
}
