import Database
import Documents
import Foundation
import JobQueue
import Linux
import MatchStore
import Matching
import Media
import PostgreSQLSupport
import RenderHost
import TestSupport
import Thumbnailer

/// Stores of their own in one database, a desk and a worker's work over them.
struct SearchBench {
    enum Driver: CaseIterable {
        case sqlite
        case postgreSQL
    }

    let folder = TemporaryFolder.make("searching")
    let searches: SearchStore
    let postings: PostingStore
    let documents: DocumentStore
    let queue: any JobQueue
    let desk: SearchDesk
    let work: ResumeWork
    private let server: ScratchDatabase?

    /// - Parameter engine: reads files; without one, every file lacks its reader.
    init(
        _ driver: Driver, engine: Thumbnailer? = nil, longestWork: Duration = ResumeWork.longestWork
    ) throws {
        server = driver == .postgreSQL ? try ScratchDatabase() : nil
        let database: any SQLDatabase = try server?.database ?? SQLiteDatabase(path: "\(folder)/file")
        documents = try DocumentStore(database, recipes: [Preset.grid.recipe])
        queue = try QueueTables.open(database)
        searches = try SearchStore(database)
        postings = try PostingStore(database)
        desk = SearchDesk(
            searches, postings, queue: queue, lifetime: .seconds(86_400),
            removeFile: documents.removeObject(_:with:))
        work = ResumeWork(
            searches, postings, engine: engine ?? Self.engine(programs: "/nowhere"), longestWork: longestWork)
    }

    /// An engine over the programs of a folder, without a cache.
    static func engine(programs: String, wallTime: Duration = Limits().wallTime) -> Thumbnailer {
        var limits = Limits()
        limits.wallTime = wallTime
        return Thumbnailer(
            host: RenderHost(programs: RendererPrograms(directory: programs)), cache: nil, limits: limits,
            maxUnhashedByteCount: 1 << 20, threadCount: 1, warn: { _ in })
    }

    /// A search that has begun so long ago.
    func add(age: Duration = .zero) throws -> ResumeSearch {
        let (id, now) = (ID<ResumeSearch>.make(at: .now), Instant.now - age)
        let object = NewObject(
            id: .random(), owner: nil, path: nil, digest: Digest(hex: String(repeating: "1", count: 64))!, byteCount: 1,
            mediaType: .pdf, facts: nil, verdict: .passed)
        try documents.add(object)
        return try searches.add(
            id, viewToken: "\(id)", owner: nil, object: object.id, fileName: "cv.pdf", at: now)
    }

    /// The matches that a profile finds.
    func matches(for profile: Profile) throws -> (search: ResumeSearch, matches: [SearchMatch]) {
        let search = try add()
        let text = String(decoding: try JSONEncoder().encode(profile), as: UTF8.self)
        _ = try searches.keep(StoredReading(pages: [""], profile: text), title: nil, of: search)
        try work.perform(search.object.rawValue) { () throws(Failure) in throw Failure(.sourceMissing) }
        return (search, try searches.matches(of: search, localOnly: false))
    }

    func close() { try? FileManager.default.removeItem(atPath: folder) }
}

extension Profile {
    /// A developer of apps with a skill or two.
    static func developer(in town: String?, skills: [String] = ["Swift"]) -> Profile {
        func found(_ text: String) -> Found<String> { Found(text, at: nil, confidence: 1) }
        var profile = Profile()
        profile.basics.label = found("iOS Developer")
        profile.basics.location = town.map(found)
        profile.skills = skills.map { ProfileSkill(name: found($0), known: $0, isListed: true) }
        return profile
    }
}

extension Instant {
    static var now: Instant { Instant(microseconds: Time.wall / 1000) }
}
