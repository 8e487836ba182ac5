internal import Documents
internal import Linux
public import Matching
public import Media
public import PostingDatabase
internal import Resumes
public import SearchDatabase
public import Thumbnailer
internal import Vocabulary

/// The work of a job of the kind `resume`: from the file to the matches. A profile that the person has corrected is not read again.
///
/// It may be ended at any moment and begun again: what it writes counts for one session, once.
public struct ResumeWork: Sendable {
    private let searches: SQLSearchStore
    private let reader: ResumeTextReader
    private let finder: JobFinder
    private let postings: SQLPostingStore

    /// - Parameter engine: reads texts. One without a cache leaves nothing of a résumé behind.
    public init(
        _ searches: SQLSearchStore, _ postings: SQLPostingStore, engine: Thumbnailer, gazetteer: Gazetteer = .builtIn
    ) {
        self.searches = searches
        self.postings = postings
        reader = ResumeTextReader(engine: engine)
        finder = JobFinder(postings: postings, gazetteer: gazetteer)
    }

    /// Works the search of a file to the end of its session, and of those that begin meanwhile.
    ///
    /// What the file is to blame for ends the session with a message; there is no failure then.
    /// - Parameters:
    ///   - path: the object of the file.
    ///   - open: opens it.
    /// - Throws: what another try may mend.
    public func perform(
        _ path: String, _ open: () throws(Failure) -> SourceFile
    ) throws(Failure) {
        do {
            while true {
                let search = try searches.search(ofFile: path)
                guard search.state == .processing else { return }
                do {
                    try run(search, open)
                } catch let fault as ResumeFault {
                    try searches.fail(search, message: fault.message)
                }
            }
        } catch SearchError.notFound {
            // The person has deleted it.
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.unavailable, message: "The searches cannot be used.", detail: "\(error)")
        }
    }

    private func run(_ search: ResumeSearch, _ open: () throws(Failure) -> SourceFile) throws {
        let vocabulary = try VocabularyMemory.current(in: postings)
        let profile: Profile
        if let stored = try searches.reading(of: search.id) {
            profile = try ProfileCoding.profile(stored.profile).known(to: vocabulary)
        } else {
            guard let read = try self.profile(of: search, vocabulary, try open()) else { return }
            profile = read
        }
        let now = Instant(microseconds: Time.wall / 1000)
        let matches = try finder.matches(for: profile, by: vocabulary, at: now)
        _ = try searches.complete(search, title: profile.basics.label?.value, matches)
    }

    /// Reads the profile and keeps it; `nil` where the session is over, also because this is no résumé.
    private func profile(
        of search: ResumeSearch, _ vocabulary: Vocabulary, _ source: SourceFile
    ) throws -> Profile? {
        let text = try reader.text(of: source)
        try searches.note(.read, of: search)
        let profile = ResumeReader(vocabulary: vocabulary).profile(of: text)
        let reading = StoredReading(pages: text.pages, profile: try ProfileCoding.text(profile))
        guard profile.showsResume else {
            let fault = ResumeFault.noResume(TextLanguage(of: text.pages))
            try searches.fail(search, message: fault.message, keeping: reading)
            return nil
        }
        let isKept = try searches.keep(reading, title: profile.basics.label?.value, of: search)
        return isKept ? profile : nil
    }
}

extension Profile {
    /// Whether a text that says this is a person's résumé: a menu or an invoice has none of it.
    fileprivate var showsResume: Bool {
        let hasPerson = basics.name != nil || basics.email != nil || basics.phone != nil
        let isKnown = skills.contains { $0.known != nil } || basics.label != nil
        return !work.isEmpty || !education.isEmpty || hasPerson && isKnown
    }
}
