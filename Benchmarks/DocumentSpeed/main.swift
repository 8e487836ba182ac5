import Database
import Documents
import Glibc
import Linux
import Media
import Synchronization
import TestSupport

// Measures lists, searches and statistics over as many documents as one person may have, for one caller and for sixteen
// at once. The store remembers the results of a search until the person's documents change; "cold" searches follow a
// change.

/// The documents of one person, in a separate file.
struct Bench {
    let store: DocumentStore
    /// The person of a service without accounts, so that `documentd` serves the same documents.
    let owner = ID<Person>("01900000-0000-7000-8000-000000000001")!
    var schools: [ID<School>] = []
    var chance = SplitMix(seed: 1)
    var ids: [ID<Document>] = []
    private var count = 0
    /// Words by rank: the first ones occur in many texts, the last ones in few.
    let words: [String]

    init(path: String) throws {
        var letters = SplitMix(seed: 2)
        words = (0..<3000).map { _ in
            String(
                (0..<(3 + letters.next(below: 7))).map { _ in
                    "abcdefghijklmnoprstuvwyéü".randomElement(using: &letters)!
                })
        }
        store = try DocumentStore(try SQLiteDatabase(path: path), recipes: [Preset.grid.recipe])
    }

    mutating func word() -> String {
        let spread = Double(chance.next(below: 1_000_000)) / 1_000_000
        return words[Int(spread * spread * spread * Double(words.count))]
    }

    mutating func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

    /// A document with random words, type and school; a third of the documents have no school.
    mutating func new() -> NewDocument {
        count += 1
        let digest = Digest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: count >> ($0 % 4 * 8)) })!
        var facts = Facts(mediaType: .pdf, byteCount: 1_000_000)
        facts.pageCount = 3
        let school = chance.next(below: 3) == 0 ? nil : schools[min(chance.next(below: 40), schools.count - 1)]
        return NewDocument(
            owner: owner, uploader: owner, type: DocumentType.allCases[chance.next(below: 6)], title: text(3),
            description: chance.next(below: 2) == 0 ? nil : text(12), school: school,
            file: Document.File(
                object: .random(), path: "\(owner)/resume/1800000\(count)_file.pdf", name: "file.pdf",
                mediaType: .pdf, digest: digest, byteCount: 1_000_000), facts: facts)
    }

    mutating func fill(_ documentCount: Int) throws {
        schools = try (0..<30).map { try store.addSchools(named: ["School \($0)"], of: owner)[0].id }
        for number in 0..<documentCount {
            let document = try store.add(new())
            ids.append(document.id)
            if number % 4 == 0 { try share(document.id) }
        }
    }

    /// Reads the identities of an earlier run's documents.
    ///
    /// - Returns: whether there are any.
    mutating func recall() throws -> Bool {
        schools = try store.schools(of: owner).map(\.id)
        var place: StorePlace?
        repeat {
            let page = try store.allVersions(of: owner, behind: place, limit: 1000)
            ids += page.elements.map(\.id)
            place = page.next
        } while place != nil
        count = Int(Time.wall / 1_000_000) & 0xFFFF_FFFF
        return !ids.isEmpty
    }

    mutating func share(_ id: ID<Document>) throws {
        let count = 1 + chance.next(below: 4)
        let some = Array(schools.dropFirst(chance.next(below: 20)).prefix(count))
        _ = try store.share(id, of: owner, with: some, permission: .view)
    }
}

/// A kind of request, created again for each measurement.
struct Case {
    let name: String
    let target: String
    let query: (inout Bench) -> ListQuery
    /// Whether a document changes before each request.
    var isCold = false
}

func query(_ change: (inout ListQuery) -> Void) -> ListQuery {
    var query = ListQuery()
    change(&query)
    return query
}

func twoFilters(_ bench: inout Bench) -> ListQuery {
    query {
        $0.types = [DocumentType.allCases[bench.chance.next(below: 6)]]
        if bench.chance.next(below: 2) == 0 {
            $0.isShared = bench.chance.next(below: 2) == 0
        } else {
            $0.school = .school(bench.schools[bench.chance.next(below: 30)])
        }
        $0.sort = ListQuery.Sort.allCases[bench.chance.next(below: 5)]
    }
}

func search(_ text: String, filtered: Bool = false) -> (inout Bench) -> ListQuery {
    { bench in
        var query = filtered ? twoFilters(&bench) : ListQuery()
        query.search = text
        return query
    }
}

/// A page in the middle of a list.
func deep(_ bench: inout Bench) -> ListQuery {
    var query = twoFilters(&bench)
    query.school = nil
    let id = bench.ids[bench.chance.next(below: bench.ids.count)]
    if let document = try? bench.store.document(id, of: bench.owner) {
        query.cursor = ListCursor(behind: document, sort: query.sort)
    }
    return query
}

struct Times {
    var milliseconds: [Double] = []

    func text(_ share: Double) -> String {
        let sorted = milliseconds.sorted()
        let value = sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
        return "\((value * 100).rounded() / 100)"
    }
}

func timed(_ body: () throws -> Void) rethrows -> Double {
    let start = Time.monotonic
    try body()
    return (Time.monotonic - start).milliseconds
}

func measureAlone(_ bench: inout Bench, _ one: Case) throws -> Times {
    var times = Times()
    for _ in 0..<(one.isCold ? 30 : 300) {
        let query = one.query(&bench)
        if one.isCold {
            let id = bench.ids[bench.chance.next(below: bench.ids.count)]
            let document = try bench.store.document(id, of: bench.owner)
            let school: ID<School>? = document.school == nil ? bench.schools[0] : nil
            _ = try bench.store.change(id, of: bench.owner, to: DocumentChange(school: .some(school)))
        }
        times.milliseconds.append(try timed { _ = try bench.store.list(query, of: bench.owner) })
    }
    return times
}

/// Sixteen callers, as on a server with that many connections: each waits for its answer before it asks again.
func measureTogether(_ bench: inout Bench, _ one: Case) throws -> Times {
    let all = Mutex(Times())
    let (store, owner) = (bench.store, bench.owner)
    let threads = try (0..<16).map { number in
        let queries = (0..<(one.isCold ? 10 : 100)).map { _ in one.query(&bench) }
        return try WorkerThread(name: "caller-\(number)") {
            for query in queries {
                let time = timed { _ = try? store.list(query, of: owner) }
                all.withLock { $0.milliseconds.append(time) }
            }
        }
    }
    for thread in threads { thread.join() }
    return all.withLock { $0 }
}

func run(in folder: String, filling count: Int?) throws {
    var bench = try Bench(path: "\(folder)/documents.sqlite")
    let fill = try timed { try bench.recall() ? () : bench.fill(count ?? PersonBounds.documents) }
    print("\(bench.ids.count) documents stored in \(Int(fill / 1000)) s; the file has ", terminator: "")
    print("\((try FileStatus.of(path: "\(folder)/documents.sqlite")).byteCount / 1_000_000) MB\n")
    if count != nil { return }
    let common = bench.words[0]
    let cases = [
        Case(name: "a page with two filters and counts", target: "15", query: twoFilters),
        Case(name: "the same in the middle of the list", target: "15", query: deep),
        Case(name: "no filter", target: "15") { _ in ListQuery() },
        Case(name: "search, a common word, cold", target: "30", query: search(common), isCold: true),
        Case(name: "search, a common word", target: "30", query: search(common)),
        Case(
            name: "search, a common word and two filters, cold", target: "30", query: search(common, filtered: true),
            isCold: true),
        Case(
            name: "search, any word, cold", target: "30", query: { bench in search(bench.word())(&bench) }, isCold: true
        ),
        Case(
            name: "search, any three letters, cold", target: "30",
            query: { bench in search(String(bench.word().prefix(3)))(&bench) }, isCold: true),
        Case(name: "search, no match, cold", target: "30", query: search("zqxzqx"), isCold: true),
        Case(
            name: "search, two letters, cold", target: "150",
            query: { bench in search(String(bench.word().prefix(2)))(&bench) }, isCold: true),
        Case(name: "search, one letter, cold", target: "150", query: search("é"), isCold: true),
        Case(
            name: "search, two letters and two filters, cold", target: "150", query: search("an", filtered: true),
            isCold: true),
    ]
    print("| request | target | p50 alone | p99 alone | p50 of 16 | p99 of 16 |\n|---|---|---|---|---|---|")
    for one in cases {
        let (alone, together) = (try measureAlone(&bench, one), try measureTogether(&bench, one))
        print("| \(one.name) | \(one.target) | \(alone.text(0.5)) | \(alone.text(0.99)) |", terminator: "")
        print(" \(together.text(0.5)) | \(together.text(0.99)) |")
        fflush(nil)
    }
    var times = Times()
    for _ in 0..<300 { times.milliseconds.append(try timed { _ = try bench.store.statistics(of: bench.owner) }) }
    print("| statistics | 5 | \(times.text(0.5)) | \(times.text(0.99)) | | |")
    times = Times()
    for _ in 0..<300 { times.milliseconds.append(try timed { _ = try bench.store.add(bench.new()) }) }
    print("| add | | \(times.text(0.5)) | \(times.text(0.99)) | | |")
    times = Times()
    for id in bench.ids.prefix(100) {
        times.milliseconds.append(try timed { _ = try bench.store.removeLine(of: id, owner: bench.owner) })
    }
    print("| remove | | \(times.text(0.5)) | \(times.text(0.99)) | | |")
}

guard let folder = CommandLine.arguments.dropFirst().first else {
    print(
        """
        usage: document-speed FOLDER [COUNT]
        The folder is new or of an earlier run, and best in memory: the disk is not what is measured. With COUNT the folder is only
        filled with as many documents.
        """)
    exit(2)
}
do {
    try run(in: folder, filling: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) })
} catch {
    print("document-speed: \(error)")
    exit(1)
}
