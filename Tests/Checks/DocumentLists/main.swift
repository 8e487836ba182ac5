import Database
import Documents
import Glibc
import Media
import Synchronization

// Carries out one operation for each JSON line of the input, over the store in the file that the argument names, and answers
// with a line each. `evaluate.py` beside it sends the operations and knows what the answers must be.

/// The time of the last operation that gave one.
let clock = Atomic<Int64>(0)

struct Misuse: Error {
    let text: String
}

/// The members of an operation.
struct Operation {
    let json: JSON

    func text(_ key: String) throws -> String {
        guard let text = json[key]?.string else { throw Misuse(text: "no text \(key) in \(json.text)") }
        return text
    }

    func id<Subject>(_ key: String) throws -> ID<Subject> {
        guard let id = ID<Subject>(try text(key)) else { throw Misuse(text: "no identity \(key) in \(json.text)") }
        return id
    }

    func idIfThere<Subject>(_ key: String) throws -> ID<Subject>? { json[key]?.string == nil ? nil : try id(key) }

    func type() throws -> DocumentType {
        guard let type = DocumentType(rawValue: try text("type")) else { throw Misuse(text: "no type") }
        return type
    }
}

let store = try DocumentStore(
    try SQLiteDatabase(path: CommandLine.arguments[1]), recipes: [Preset.grid.recipe],
    now: { Instant(microseconds: clock.load(ordering: .relaxed)) },
    unreadable: { print("{\"unreadable\":\"\($0)\"}") })
let fileCount = Atomic(0)

func newFile(_ byteCount: Int64) -> Document.File {
    let number = fileCount.add(1, ordering: .relaxed).newValue
    let name = "\(getpid())-\(number)"
    let bytes = (0..<32).map { UInt8(truncatingIfNeeded: (Int(getpid()) << 20 + number) >> ($0 % 5 * 8)) }
    return Document.File(
        object: .random(), path: "files/\(name)", name: name, mediaType: .pdf, digest: Digest(bytes: bytes)!,
        byteCount: byteCount)
}

func add(_ operation: Operation) throws -> JSON {
    let owner: ID<Person> = try operation.id("owner")
    let document = try store.add(
        NewDocument(
            owner: owner, uploader: owner, type: try operation.type(), title: try operation.text("title"),
            description: operation.json["description"]?.string, school: try operation.idIfThere("school"),
            file: newFile(operation.json["bytes"]?.integer ?? 0), predecessor: try operation.idIfThere("after")))
    return JSON.object(["id": .string(document.id.text), "version": .integer(Int64(document.version))])
}

func query(_ operation: Operation) throws -> ListQuery {
    var query = ListQuery()
    let json = operation.json
    for type in json["types"]?.array ?? [] {
        query.types.insert(DocumentType(rawValue: type.string ?? "")!)
    }
    if json["general"]?.bool == true { query.school = .general }
    if let school: ID<School> = try operation.idIfThere("school") { query.school = .school(school) }
    query.isShared = json["shared"]?.bool
    query.search = json["search"]?.string ?? ""
    query.sort = ListQuery.Sort(rawValue: try operation.text("sort"))!
    query.limit = Int(json["limit"]?.integer ?? 50)
    if let text = json["cursor"]?.string {
        guard let cursor = ListCursor(text: text) else { throw Misuse(text: "no cursor: \(text)") }
        query.cursor = cursor
    }
    return query
}

func list(_ operation: Operation) throws -> JSON {
    let page = try store.list(query(operation), of: operation.id("owner"))
    return JSON.object([
        "ids": .array(page.documents.map { .string($0.id.text) }), "next": page.next.map { .string($0.text) },
        "filtered": .integer(Int64(page.filteredCount)), "total": .integer(Int64(page.totalCount)),
    ])
}

func statistics(_ operation: Operation) throws -> JSON {
    let statistics = try store.statistics(of: operation.id("owner"))
    let counts = statistics.countsByType.sorted { $0.key.rawValue < $1.key.rawValue }
    return JSON.object([
        "total": .integer(Int64(statistics.totalCount)), "shared": .integer(Int64(statistics.sharedCount)),
        "bytes": .integer(statistics.byteCount),
        "types": .object(counts.map { JSON.Member($0.key.rawValue, .integer(Int64($0.value))) }),
    ])
}

func carryOut(_ operation: Operation) throws -> JSON {
    if let moment = operation.json["at"]?.integer { clock.store(moment, ordering: .relaxed) }
    let owner: ID<Person> = try operation.id("owner")
    switch try operation.text("op") {
    case "add": return try add(operation)
    case "list": return try list(operation)
    case "statistics": return try statistics(operation)
    case "school":
        return JSON.object(["id": .string(try store.addSchools(named: [operation.text("name")], of: owner)[0].id.text)])
    case "removeSchool": try store.removeSchool(operation.id("school"), of: owner)
    case "share":
        _ = try store.share(operation.id("id"), of: owner, with: [operation.id("school")], permission: .view)
    case "unshare": _ = try store.unshare(operation.id("id"), of: owner, from: [operation.id("school")])
    case "change":
        var change = DocumentChange(title: operation.json["title"]?.string)
        if let description = operation.json["description"] { change.description = .some(description.string) }
        if operation.json["school"] != nil { change.school = .some(try operation.idIfThere("school")) }
        _ = try store.change(operation.id("id"), of: owner, to: change)
    case "restore": _ = try store.restore(operation.id("id"), of: owner)
    case "clearCurrent": _ = try store.clearCurrent(operation.id("id"), of: owner)
    case "removeLine": try store.removeLine(of: operation.id("id"), owner: owner)
    case "removeVersion": try store.removeVersion(operation.id("id"), of: owner)
    case let name: throw Misuse(text: "no operation \(name)")
    }
    return JSON.object([])
}

while let line = readLine() {
    do {
        print(try carryOut(Operation(json: try JSON(parsing: Array(line.utf8)))).text)
    } catch {
        print(JSON.object(["error": .string("\(error)")]).text)
    }
    fflush(nil)
}
