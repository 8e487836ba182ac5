public import JobQueue
internal import Linux
public import Matching
public import Media
internal import Objects

/// What people ask of their searches for jobs: to begin one, to see how far it is, its matches and why they fit, to correct the profile, and to
/// delete it. Calls block.
public struct SearchDesk: Sendable {
    /// The rows.
    public let searches: SearchStore
    let postings: PostingStore
    /// Makes a change, and removes the row of a file, in one transaction.
    let removeFile: RemoveFile
    let queue: any JobQueue
    private let gazetteer: Gazetteer
    /// How long a search and its token live.
    public let lifetime: Duration

    /// Makes a change, and removes the row of a file unless it is `nil`: both or neither.
    public typealias RemoveFile = @Sendable (_ object: ObjectID?, _ change: () throws -> Void) throws -> Void

    /// A desk over these stores.
    ///
    /// - Parameters:
    ///   - queue: in one database with the searches.
    ///   - lifetime: how long a search and its token live.
    public init(
        _ searches: SearchStore, _ postings: PostingStore, queue: any JobQueue, lifetime: Duration,
        gazetteer: Gazetteer = .builtIn, removeFile: @escaping RemoveFile
    ) {
        self.searches = searches
        self.postings = postings
        self.removeFile = removeFile
        self.queue = queue
        self.lifetime = lifetime
        self.gazetteer = gazetteer
    }

    /// The moment now, to which days and years are counted.
    var now: Instant { Instant(microseconds: Time.wall / 1000) }

    // MARK: Beginning

    /// Begins the search for a stored file, in the transaction that stores the file's row.
    ///
    /// The object's identity stands in jobs and logs, and does not tell that of the search.
    ///
    /// - Parameter network: where the client is. People who have not signed in take turns as one for each network.
    public func begin(
        _ object: ObjectID, fileName: String, owner: ID<Person>?, network: String? = nil
    ) throws(SearchError) -> ResumeSearch {
        try searches.add(
            Self.unguessable(), viewToken: Hex.string([UInt8].random(count: 32)), owner: owner, object: object,
            fileName: FileName.shown(fileName), network: network, at: now)
    }

    /// 122 random bits: whoever has the identity is the uploader.
    private static func unguessable() -> ID<ResumeSearch> {
        var bytes = [UInt8].random(count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ID(bytes: bytes)!
    }

    // MARK: Looking

    /// The search whose matches a token shows, with the end of its session where its job has ended without.
    ///
    /// - Throws: `notFound`, also for a search whose time is over.
    public func search(viewToken: String) throws -> ResumeSearch {
        try settled(try living(try searches.search(viewToken: viewToken)))
    }

    /// The search of an identity, for its owner; anybody's for a search that belongs to no person.
    ///
    /// - Throws: `notFound`, also for a search of another person, or one whose time is over.
    public func search(_ id: ID<ResumeSearch>, for caller: ID<Person>?) throws -> ResumeSearch {
        let search = try living(try searches.search(id))
        guard search.owner == nil || search.owner == caller else { throw SearchError.notFound }
        return try settled(search)
    }

    /// When a search and its token end.
    public func end(of search: ResumeSearch) -> Instant { search.created + lifetime }

    private func living(_ search: ResumeSearch) throws(SearchError) -> ResumeSearch {
        guard now < end(of: search) else { throw .notFound }
        return search
    }

    private func settled(_ search: ResumeSearch) throws -> ResumeSearch {
        try settle(search) ? try searches.search(search.id) : search
    }

    /// Ends a session whose job is dead, and queues again one whose job is over: no session stays without an end.
    ///
    /// - Returns: whether there was something to do.
    @discardableResult
    func settle(_ search: ResumeSearch) throws -> Bool {
        guard search.state == .processing, let number = search.job else { return false }
        let job: Job?
        do throws(QueueError) {
            job = try queue.show(JobID(rawValue: number)).job
        } catch {
            guard case .noSuchJob = error else { throw error }
            job = nil
        }
        guard job?.state.isUnfinished != true else { return false }
        if let job, job.state == .dead || job.state == .cancelled {
            try searches.fail(search, message: Self.message(of: job))
        } else {
            // It was pruned, or ended just before a correction began another session.
            try searches.resume(search)
        }
        return true
    }

    private static func message(of job: Job) -> String {
        switch job.lastFailure?.code {
        case .crashed, .corrupt, .sandboxed, .timedOut:
            "This file cannot be read: reading it failed again and again. Save it anew, as PDF or DOCX, and send it again."
        default: "The search could not be finished. Please send the résumé again."
        }
    }

    /// The matches of a session, the best first; none before it is completed.
    public func matches(of search: ResumeSearch, localOnly: Bool) throws(SearchError) -> [SearchMatch] {
        try searches.matches(of: search, localOnly: localOnly)
    }

    /// The profile of a search with the texts that its places refer to; `nil` before it is made.
    public func profile(of search: ResumeSearch) throws(SearchError) -> (profile: Profile, pages: [String])? {
        guard let reading = try searches.reading(of: search.id) else { return nil }
        return (try ProfileCoding.profile(reading.profile), reading.pages)
    }

    /// Whether the profile of a search names a town that is known: without one, remote work alone is within reach.
    public func knowsTown(of search: ResumeSearch) throws(SearchError) -> Bool {
        guard let town = try profile(of: search)?.profile.basics.location?.value else { return false }
        return gazetteer.place(town) != nil
    }

    /// Full years in positions, never rounded up.
    public func years(of profile: Profile) -> Int { profile.monthsOfExperience(at: PartialDate(of: now)) / 12 }

    /// Days from a day to today; at least 0.
    public func age(of day: CivilDay) -> Int { max(0, CivilDay(of: now).number - day.number) }

    // MARK: Reasons

    /// Why a posting that a search has found fits the profile.
    ///
    /// They rest on the posting as it was when it was found, also where it is gone.
    ///
    /// - Throws: `notFound` for a posting that the search has not found; `PostingError.notFound` for one that is gone and whose text
    ///   was not kept.
    public func reasons(for posting: String, in search: ResumeSearch) throws -> MatchExplanation {
        guard let id = ID<StoredPosting>(posting), let (profile, pages) = try profile(of: search) else {
            throw SearchError.notFound
        }
        let match = try searches.match(id.text, in: search)
        let posting = try match.foundPosting ?? postings.posting(id).posting
        let vocabulary = try VocabularyMemory.current(in: postings)
        let writer = ReasonWriter(
            profile.known(to: vocabulary), vocabulary: vocabulary, gazetteer: gazetteer, now: PartialDate(of: now))
        return MatchExplanation(reasons: writer.reasons(for: posting), posting: posting, pages: pages)
    }

    // MARK: Correcting

    /// Corrects the profile, and begins the search anew. Where the résumé could not be read, the profile is the person's alone.
    ///
    /// - Throws: `ProfileFault` for values that make no sense; `noProfile` while the résumé is being read.
    public func correct(_ search: ResumeSearch, _ correction: JSON) throws -> ResumeSearch {
        let reading = try searches.reading(of: search.id)
        guard reading != nil || search.state == .failed else { throw SearchError.noProfile }
        var profile = try reading.map { try ProfileCoding.profile($0.profile) } ?? Profile()
        try ProfileCorrection(vocabulary: try VocabularyMemory.current(in: postings)).apply(correction, to: &profile)
        return try searches.correct(search.id, profile: try ProfileCoding.text(profile), at: now)
    }
}

extension SearchMatch {
    /// The posting as it was found, as far as reasons rest on it; `nil` where its text was not kept.
    fileprivate var foundPosting: Posting? {
        text.map { text in
            Posting(
                source: "", sourceID: posting, title: title, company: company, location: location, isRemote: isRemote,
                text: text)
        }
    }
}
