/// A fuzz target: code of ours that parses bytes of others.
///
/// A target takes any bytes. It must return soon, without a trap and with little memory, and its own checks must hold.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// The host's request as a renderer reads it; a child's answer and a renderer's report as the host reads them.
    case request, answer, report
    /// A request to another host's warm renderers, and its answer.
    case warmrequest, warmanswer
    /// A file as the readers of signatures see it; a package of two XML parts; text.
    case sniff, package, text
    /// A JPEG and a PNG as the renderer of plain ones reads and draws them.
    case jpeg, png
    /// A document as the reader of its pictures sees it.
    case document
    /// A Matroska file as the reader of its tracks sees it.
    case matroska
    /// A Photoshop document and an icon as the renderer of still pictures reads them.
    case photoshop, icon
    /// A cache's records; JSON.
    case record, json
    /// Text that a person writes: sizes, times, colours, names; the settings file.
    case words, settings
    /// Sizes of pictures and boxes, to layouts.
    case layout
    /// Placeholders, made of any picture.
    case thumbhash
    /// A form of a browser; the header of a request, and of one that uploads in pieces.
    case multipart, headers, tus
    /// A query of rows, from its text to the rows that it selects.
    case rows
    /// A token that is issued elsewhere, to the person whom it names.
    case token
    /// Documents of word processors, as the reader of their text sees them: the parts of a package, and whole files.
    case docx, odt, rtf, doc
    /// A file of offers of work, in each form.
    case postings
    /// The text of a résumé, to the profile with its places.
    case resume

    /// Whether the files of samples/ are seeds too.
    package var readsFiles: Bool { [.sniff, .jpeg, .png, .document].contains(self) }

    /// The length in bytes from which a reader takes another path; at least one seed is as long.
    package var threshold: Int {
        switch self {
        // The most targets, and the longest text, of a message.
        case .request: 1 << 10
        case .answer, .report, .warmrequest, .warmanswer: 2 << 10
        // The piece of a file that is read at once, and the part of a table that is examined.
        case .sniff, .text: 64 << 10
        // The shortest scan that two threads read.
        case .jpeg: 128 << 10
        // One piece of input for the decompressor.
        case .png: 128 << 10
        // One piece of an unpacked stream; as `jpeg` for a JPEG picture.
        case .document: 128 << 10
        // The beginning that is read at once.
        case .matroska: 64 << 10
        // The longest record that is read from a cache.
        case .record: 64 << 10
        // One piece of a part or of a file.
        case .docx, .odt, .rtf: 64 << 10
        // The characters that are taken at once, of two bytes each, with header and tables.
        case .doc: 16 << 10
        // The longest field in quotes.
        case .postings: 128 << 10
        // The longest line.
        case .resume: 4 << 10
        case .package, .photoshop, .icon, .json, .words, .settings, .layout, .thumbhash, .multipart,
            .headers, .tus, .rows, .token:
            0
        }
    }

    /// The longest input in bytes: with room for changes to a seed that passes the threshold.
    package var longestInput: Int { max(threshold * 2, 16 << 10) }

    /// Runs the target once.
    ///
    /// - Throws: `Broken` if a check fails.
    package func run(_ bytes: [UInt8]) throws(Broken) {
        switch self {
        case .request: try WireTargets.request(bytes)
        case .answer: try WireTargets.answer(bytes)
        case .report: try WireTargets.report(bytes)
        case .warmrequest: try WireTargets.warmRequest(bytes)
        case .warmanswer: try WireTargets.warmAnswer(bytes)
        case .sniff: try SnifferTargets.file(bytes)
        case .package: try SnifferTargets.package(bytes)
        case .text: try SnifferTargets.text(bytes)
        case .jpeg: try PlainTargets.jpeg(bytes)
        case .png: try PlainTargets.png(bytes)
        case .document: try DocumentTargets.document(bytes)
        case .matroska: try VideoTargets.matroska(bytes)
        case .photoshop: try StillTargets.photoshop(bytes)
        case .icon: try StillTargets.icon(bytes)
        case .record: try CacheTargets.record(bytes)
        case .json: try CacheTargets.json(bytes)
        case .words: try WordTargets.words(bytes)
        case .settings: try WordTargets.settings(bytes)
        case .layout: try PictureTargets.layout(bytes)
        case .thumbhash: try PictureTargets.thumbhash(bytes)
        case .multipart: try HTTPTargets.form(bytes)
        case .headers: try HTTPTargets.headers(bytes)
        case .tus: try HTTPTargets.resumable(bytes)
        case .rows: try RowTargets.query(bytes)
        case .token: try TokenTargets.token(bytes)
        case .docx: try TextTargets.openXML(bytes)
        case .odt: try TextTargets.openDocument(bytes)
        case .rtf: try TextTargets.richText(bytes)
        case .doc: try TextTargets.word(bytes)
        case .postings: try PostingTargets.postings(bytes)
        case .resume: try ResumeTargets.resume(bytes)
        }
    }

    /// The seeds. Targets that read files start from samples/ too.
    package var seeds: [[UInt8]] {
        switch self {
        case .request: WireTargets.requests
        case .answer: WireTargets.answers
        case .report: WireTargets.reports
        case .warmrequest: WireTargets.warmRequests
        case .warmanswer: WireTargets.warmAnswers
        case .sniff: SnifferTargets.files
        case .package: SnifferTargets.packages
        case .text: SnifferTargets.texts
        case .jpeg: PlainTargets.jpegs
        case .png: PlainTargets.pngs
        case .document: DocumentTargets.documents
        case .matroska: VideoTargets.matroskas
        case .photoshop: StillTargets.photoshops
        case .icon: StillTargets.icons
        case .record: CacheTargets.records
        case .json: CacheTargets.jsonTexts
        case .words: WordTargets.examples
        case .settings: WordTargets.settingsFiles
        case .layout: PictureTargets.layouts
        case .thumbhash: PictureTargets.hashes
        case .multipart: HTTPTargets.forms
        case .headers: HTTPTargets.requests
        case .tus: HTTPTargets.resumables
        case .rows: RowTargets.queries
        case .token: TokenTargets.tokens
        case .docx: TextTargets.openXMLParts
        case .odt: TextTargets.openDocumentParts
        case .rtf: TextTargets.richTexts
        case .doc: TextTargets.wordFiles
        case .postings: PostingTargets.files
        case .resume: ResumeTargets.resumes
        }
    }
}

/// A failed check of a target.
package struct Broken: Error, Sendable {
    package let what: String

    init(_ what: String) { self.what = what }
}

/// Throws unless `condition` holds.
func holds(_ condition: Bool, _ what: @autoclosure () -> String) throws(Broken) {
    if !condition { throw Broken(what()) }
}
