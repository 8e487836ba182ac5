/// What is fuzzed: code of ours that takes apart what somebody else has written.
///
/// A target takes any bytes. It must come back soon, without a trap and with little memory, and what it says of itself must hold.
package enum FuzzTarget: String, CaseIterable, Sendable {
    /// What a renderer reads, and a host's reading of what a child and a renderer send.
    case request, answer, report
    /// What one host asks of another with warm renderers, and is answered.
    case warmrequest, warmanswer
    /// A file as the sniffer's own readers see it; a package of two XML parts; text.
    case sniff, package, text
    /// A JPEG and a PNG as the renderer of plain ones reads and draws them.
    case jpeg, png
    /// A document as the reader of its pictures sees it.
    case document
    /// A Matroska file as the reader of its tracks sees it.
    case matroska
    /// What lies in a cache.
    case record, json
    /// What a person writes: sizes, times, colours, names; the settings file.
    case words, settings
    /// Sizes of pictures and boxes, to layouts.
    case layout
    /// Placeholders, read and made.
    case thumbhash

    /// Whether the files of samples/ are seeds too.
    package var readsFiles: Bool { [.sniff, .jpeg, .png, .document].contains(self) }

    /// Runs the target once.
    ///
    /// - Throws: `Broken` where something does not hold that should.
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
        case .record: try CacheTargets.record(bytes)
        case .json: try CacheTargets.json(bytes)
        case .words: try WordTargets.words(bytes)
        case .settings: try WordTargets.settings(bytes)
        case .layout: try PictureTargets.layout(bytes)
        case .thumbhash: try PictureTargets.thumbhash(bytes)
        }
    }

    /// Inputs to begin with. Those that read files have those of samples/ besides.
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
        case .record: CacheTargets.records
        case .json: CacheTargets.jsonTexts
        case .words: WordTargets.examples
        case .settings: WordTargets.settingsFiles
        case .layout: PictureTargets.layouts
        case .thumbhash: PictureTargets.hashes
        }
    }
}

/// What a target found not to hold.
package struct Broken: Error, Sendable {
    package let what: String

    init(_ what: String) { self.what = what }
}

/// Throws unless `condition` holds.
func holds(_ condition: Bool, _ what: @autoclosure () -> String) throws(Broken) {
    if !condition { throw Broken(what()) }
}
