internal import Linux
public import Matching
public import Media
public import SourceFiles
public import Thumbnailer

/// The work of a job of the kind `resume`: from the file to the matches. A profile that the person has corrected is not
/// read again.
///
/// It may be ended and restarted at any moment: what it writes counts for one session, once. It ends automatically
/// within seconds after the search was deleted, and after `longestWork`.
public struct ResumeWork: Sendable {
    private let searches: SearchStore
    private let reader: ResumeTextReader
    private let finder: JobFinder
    private let postings: PostingStore
    private let longestWork: Duration

    /// Time limit of one session's work, including text recognition of scanned pages.
    public static let longestWork: Duration = .seconds(120)

    /// - Parameters:
    ///   - engine: reads texts. An engine without a cache leaves nothing of a résumé behind.
    ///   - longestWork: time limit of one session's work.
    public init(
        _ searches: SearchStore, _ postings: PostingStore, engine: Thumbnailer, gazetteer: Gazetteer = .builtIn,
        longestWork: Duration = Self.longestWork
    ) {
        self.longestWork = longestWork
        self.searches = searches
        self.postings = postings
        reader = ResumeTextReader(engine: engine)
        finder = JobFinder(postings: postings, gazetteer: gazetteer)
    }

    /// Runs the search of a file to the end of its session, and of sessions that begin meanwhile.
    ///
    /// A fault of the file ends the session with a message, not with a failure.
    /// - Parameters:
    ///   - object: the file, as the job names it.
    ///   - open: opens it.
    /// - Throws: failures that a retry may mend.
    public func perform(
        _ object: String, _ open: () throws(Failure) -> SourceFile
    ) throws(Failure) {
        do {
            while true {
                let search = try searches.search(ofObject: object)
                guard search.state == .processing else { return }
                let watch = try SearchWatch(for: longestWork) { [searches] in Self.isWanted(search, in: searches) }
                defer { watch.stop() }
                do {
                    try run(search, open, watch)
                } catch let fault as ResumeFault {
                    try searches.fail(search, message: fault.message)
                } catch {
                    // Children that the watch has ended fail as cancelled.
                    guard let reason = error as? SearchWatch.End ?? watch.reason else { throw error }
                    guard case .overdue = reason else { continue }
                    try searches.fail(search, message: ResumeFault.unreadable(Failure(.timedOut)).message)
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

    /// Whether a session still exists and is not over.
    private static func isWanted(_ search: ResumeSearch, in searches: SearchStore) -> Bool {
        do throws(SearchError) {
            return try searches.search(ofObject: search.object.rawValue).state == .processing
        } catch {
            // An unreachable database says nothing.
            return error != .notFound
        }
    }

    private func run(
        _ search: ResumeSearch, _ open: () throws(Failure) -> SourceFile, _ watch: SearchWatch
    ) throws {
        let vocabulary = try VocabularyMemory.current(in: postings)
        let profile: Profile
        if let stored = try searches.reading(of: search.id) {
            profile = try ProfileCoding.profile(stored.profile).known(to: vocabulary)
        } else {
            guard let read = try self.profile(of: search, vocabulary, try open(), watch) else { return }
            profile = read
        }
        let now = Instant(microseconds: Time.wall / 1000)
        let matches = try finder.matches(for: profile, by: vocabulary, at: now) { try watch.check() }
        _ = try searches.complete(search, title: profile.basics.label?.value, matches)
    }

    /// Reads and stores the profile; `nil` if the session is over, also because this is not a résumé.
    private func profile(
        of search: ResumeSearch, _ vocabulary: Vocabulary, _ source: SourceFile, _ watch: SearchWatch
    ) throws -> Profile? {
        let text = try reader.text(of: source, until: watch.cancellation)
        try watch.check()
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
    /// Whether a text with this profile is a person's résumé: a menu or an invoice has none of these.
    fileprivate var showsResume: Bool {
        let hasPerson = basics.name != nil || basics.email != nil || basics.phone != nil
        let isKnown = skills.contains { $0.known != nil } || basics.label != nil
        return !work.isEmpty || !education.isEmpty || hasPerson && isKnown
    }
}
