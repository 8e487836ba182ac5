public import JobQueue
internal import Linux
public import Matching
public import Media
internal import Objects

/// What people do with their searches for jobs: begin one, see its progress, its matches and why they fit, correct the
/// profile, and delete it. Calls block.
public struct SearchDesk: Sendable {
    /// The rows.
    public let searches: SearchStore
    let postings: PostingStore
    /// Makes a change, and removes the row of a file, in one transaction.
    let removeFile: RemoveFile
    let queue: any JobQueue
    private let gazetteer: Gazetteer
    /// How long a search and its token are valid.
    public let lifetime: Duration

    /// Makes a change, and removes the row of a file unless it is `nil`: both or neither.
    public typealias RemoveFile = @Sendable (_ object: ObjectID?, _ change: () throws -> Void) throws -> Void

    /// A desk over these stores.
    ///
    /// - Parameters:
    ///   - queue: in the same database as the searches.
    ///   - lifetime: how long a search and its token are valid.
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

    /// The current time, up to which days and years are counted.
    var now: Instant { Instant(microseconds: Time.wall / 1000) }

    // MARK: Beginning

    /// Begins the search for a stored file, in the transaction that stores the file's row.
    ///
    /// The object's identity appears in jobs and logs, and does not reveal the search's identity.
    ///
    /// - Parameter network: the client's network. The people of a network who have not signed in take turns as one.
    public func begin(
        _ object: ObjectID, fileName: String, owner: ID<Person>?, network: String? = nil
    ) throws(SearchError) -> ResumeSearch {
        try searches.add(
            Self.unguessable(), viewToken: Hex.string([UInt8].random(count: 32)), owner: owner, object: object,
            fileName: FileName.shown(fileName), network: network, at: now)
    }

    /// 122 random bits: anyone who has the identity counts as the uploader.
    private static func unguessable() -> ID<ResumeSearch> {
        var bytes = [UInt8].random(count: 16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        return ID(bytes: bytes)!
    }

    // MARK: Looking

    /// The search whose matches a token shows. A session whose job has ended without it is settled first.
    ///
    /// - Throws: `notFound`, also for an expired search.
    public func search(viewToken: String) throws -> ResumeSearch {
        try settled(try living(try searches.search(viewToken: viewToken)))
    }

    /// The search with an identity, for its owner; for anyone if it belongs to no person.
    ///
    /// - Throws: `notFound`, also for a search of another person, or an expired one.
    public func search(_ id: ID<ResumeSearch>, for caller: ID<Person>?) throws -> ResumeSearch {
        let search = try living(try searches.search(id))
        guard search.owner == nil || search.owner == caller else { throw SearchError.notFound }
        return try settled(search)
    }

    /// When a search and its token expire.
    public func end(of search: ResumeSearch) -> Instant { search.created + lifetime }

    private func living(_ search: ResumeSearch) throws(SearchError) -> ResumeSearch {
        guard now < end(of: search) else { throw .notFound }
        return search
    }

    private func settled(_ search: ResumeSearch) throws -> ResumeSearch {
        try settle(search) ? try searches.search(search.id) : search
    }

    /// Ends a session whose job is dead, and requeues a session whose job is over, so that every session ends.
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
            // The job was pruned, or ended just before a correction began another session.
            try searches.resume(search)
        }
        return true
    }

    private static func message(of job: Job) -> String {
        switch job.lastFailure?.code {
        case .crashed, .corrupt, .sandboxed, .timedOut:
            "This file cannot be read: reading it failed again and again. Save it again as PDF or DOCX, and upload it again."
        default: "The search could not be finished. Please send the résumé again."
        }
    }

    /// The matches of a session, the best first; none before it is completed.
    public func matches(of search: ResumeSearch, localOnly: Bool) throws(SearchError) -> [SearchMatch] {
        try searches.matches(of: search, localOnly: localOnly)
    }

    /// The profile of a search with the texts that its places refer to; `nil` until it exists.
    public func profile(of search: ResumeSearch) throws(SearchError) -> (profile: Profile, pages: [String])? {
        guard let reading = try searches.reading(of: search.id) else { return nil }
        return (try ProfileCoding.profile(reading.profile), reading.pages)
    }

    /// Whether the profile of a search names a known town: without one, only remote work is within reach.
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
    /// The reasons use the posting as it was found, even if it is gone.
    ///
    /// - Throws: `notFound` for a posting that the search has not found; `PostingError.notFound` for a posting that is
    ///   gone and whose text was not stored.
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

    /// Corrects the profile, and restarts the search. If the résumé could not be read, the profile contains only the
    /// person's values.
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
    /// The parts of the posting, as it was found, that reasons use; `nil` if its text was not stored.
    fileprivate var foundPosting: Posting? {
        text.map { text in
            Posting(
                source: "", sourceID: posting, title: title, company: company, location: location, isRemote: isRemote,
                text: text)
        }
    }
}
