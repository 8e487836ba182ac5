import ArgumentParser
import Console
import Daemon
import Linux
import MatchStore
import Matching
import Media

/// `documentd vocabulary`: the operator's work on the occupations and skills by which résumés and postings are read.
struct VocabularyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vocabulary",
        abstract: "Import, count and reset the occupations and skills that résumés and postings are read by.",
        subcommands: [VocabularyImportCommand.self, VocabularyStatsCommand.self, VocabularyResetCommand.self])
}

extension PostingStore {
    /// Runs a call of the store, and converts its errors to failures.
    fileprivate func attempt<Answer>(
        _ body: (PostingStore) throws(PostingError) -> Answer
    ) throws(Failure) -> Answer {
        do throws(PostingError) {
            return try body(self)
        } catch {
            throw Failure(.unavailable, message: "The vocabulary cannot be used.", detail: "\(error)")
        }
    }

    /// Prints a line for the built-in vocabulary, one for each imported source, and one for the total.
    fileprivate func printVocabulary() throws(Failure) {
        func line(_ name: String, _ occupations: Int, _ titles: Int, _ skills: Int, _ end: String = "") {
            StandardStream.write(
                "\(name)  \(occupations) occupations  \(titles) titles  \(skills) skills\(end)\n", to: 1)
        }
        let own = Vocabulary.builtIn
        line("our own", own.occupations.count, own.titleCount, own.skills.count)
        let sources = try attempt { store throws(PostingError) in try store.importedVocabulary() }
        guard !sources.isEmpty else { return }
        for source in sources {
            line(
                source.source.name, source.occupationCount, source.titleCount, source.skillCount,
                "  imported \(source.imported)")
        }
        let lists = try attempt { store throws(PostingError) in try store.vocabularyLists() }
        let all = own.adding(lists.map(\.lists))
        line("together", all.occupations.count, all.titleCount, all.skills.count)
    }
}

/// `documentd vocabulary import`.
struct VocabularyImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import occupations and skills from the files of O*NET, ESCO, or both.",
        discussion: """
            A folder contains the files as published. O*NET (database, text): \
            \(VocabularySource.onet.files.joined(separator: ", ")). ESCO (CSV, English): \
            \(VocabularySource.esco.files.joined(separator: ", ")). The first of each is required; missing files are reported.

            An import replaces the previous import of the same source, completely or not at all. The built-in vocabulary keeps precedence. \
            A line for each refused row gives the reason. The other rows are imported. Services use the vocabulary from their next search on.

            Exit status: 0 done, 1 rows were refused, 2 a file is missing or is not one of the publisher's, 3 database or file unreachable.

            Example:
              documentd vocabulary import --data ./data --onet db_30_0_text --esco esco_en_csv
            """)

    @Option(help: ArgumentHelp("The folder of O*NET's text files.", valueName: "folder"))
    var onet: String?

    @Option(help: ArgumentHelp("The folder of ESCO's CSV files.", valueName: "folder"))
    var esco: String?

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func validate() throws {
        guard onet != nil || esco != nil else {
            throw ValidationError("Nothing to import: name a folder with --onet, --esco, or both.")
        }
    }

    func run() throws {
        var lists: [VocabularySource: VocabularyLists] = [:]
        var refusedCount = 0
        for (source, folder) in [(VocabularySource.onet, onet), (.esco, esco)] {
            guard let folder else { continue }
            let published = try Self.read(source, folder)
            for report in published.reports {
                Self.show(report, folder)
                refusedCount += report.refusals.count
            }
            lists[source] = published.lists
        }
        let store = try options.postings()
        try store.attempt { store throws(PostingError) in
            try store.keep(lists, at: Instant(microseconds: Time.wall / 1000))
        }
        try store.printVocabulary()
        if refusedCount > 0 { throw ExitCode(1) }
    }

    private static func read(_ source: VocabularySource, _ folder: String) throws(Failure) -> PublishedVocabulary {
        var files: [String: [UInt8]] = [:]
        for file in source.files { files[file] = try SmallFile.bytes(of: "\(folder)/\(file)", limit: mostBytes) }
        for file in source.files.dropFirst() where files[file] == nil && files[source.files[0]] != nil {
            StandardStream.write("documentd: \(FilePath(folder).shown) has no \(file): skipping it\n", to: 2)
        }
        do throws(VocabularyFileError) {
            return try PublishedVocabulary(source, files)
        } catch {
            guard let reason = error.error else {
                throw Failure(
                    .usage,
                    message: """
                        \(FilePath(folder).shown) has no \(error.file): name the folder with \(source.name)'s files as they are \
                        published, unpacked.
                        """)
            }
            let file = FilePath("\(folder)/\(error.file)").shown
            throw Failure(.usage, message: "\(file):\(reason.line): \(reason.reason).")
        }
    }

    /// The files total some 60 MB.
    private static let mostBytes = 512 << 20

    private static func show(_ report: ImportReport, _ folder: String) {
        let file = FilePath("\(folder)/\(report.file)").shown
        StandardStream.write("\(file): \(report.rowCount) rows, \(report.refusals.count) refused\n", to: 1)
        for refusal in report.refusals.prefix(mostRefusals) {
            let reason = FilePath("\(refusal.reason)").shown
            StandardStream.write("documentd: \(file):\(refusal.line): \(reason)\n", to: 2)
        }
        if report.refusals.count > mostRefusals {
            StandardStream.write("documentd: \(file): \(report.refusals.count - mostRefusals) more\n", to: 2)
        }
    }

    /// The most refusals of a file that are printed: if its format is a different one, all rows are refused.
    private static let mostRefusals = 20
}

/// `documentd vocabulary stats`.
struct VocabularyStatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count occupations, titles and skills: our own, those of each import with its time, and all together."
    )

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws { try options.postings().printVocabulary() }
}

/// `documentd vocabulary reset`.
struct VocabularyResetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Remove everything imported, and use only the built-in vocabulary.")

    @OptionGroup(title: "Settings")
    var options: DocumentdOptions

    func run() throws {
        let store = try options.postings()
        let count = try store.attempt { store throws(PostingError) in try store.removeVocabulary() }
        StandardStream.write("\(count) imported \(count == 1 ? "vocabulary" : "vocabularies") removed\n", to: 1)
        try store.printVocabulary()
    }
}
