import Documents
import Media
import Supabase
import TestDeadline
import Testing

/// A list of one file read ten thousand rows.
@Suite("Lists of a folder's entries", .deadline)
struct FolderEntriesTests {
    private static func object(_ path: String, _ number: Int) -> StoredObject {
        StoredObject(
            id: .random(), owner: nil, path: path, digest: Digest(bytes: [UInt8](repeating: 1, count: 32))!,
            byteCount: 1, mediaType: .pdf, facts: nil, verdict: .passed, notes: FileNotes(),
            stored: Instant(microseconds: Int64(number * 7919 % 1000) * 1_000_000))
    }

    /// Objects in the order of their paths, read as a store reads them.
    private struct Shelf {
        let objects: [StoredObject]
        var readCount = 0

        init(_ paths: [String]) {
            objects = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.enumerated()
                .map { FolderEntriesTests.object($1, $0) }
        }

        /// - Parameter pageLength: `nil` for the length that the list asks for.
        mutating func list(_ json: String, pageLength: Int? = nil) throws -> [String] {
            readCount = 0
            var entries = FolderEntries(of: "f/", Listing(try JSON(parsing: Array(json.utf8))))
            var place: StorePlace?
            repeat {
                let rest = objects.filter { object in
                    place.map { $0.key.utf8.lexicographicallyPrecedes(object.path!.utf8) } ?? true
                }
                let page = rest.prefix(pageLength ?? entries.pageLength)
                readCount += page.count
                for object in page { entries.add(object) }
                place = page.count < rest.count ? page.last.map { entries.place(behind: StorePlace($0.path!)) } : nil
            } while place != nil && !entries.isComplete
            return (entries.json.array ?? []).map { "\($0["name"]?.string ?? "")\($0["id"] == .null ? "/" : "")" }
        }
    }

    /// Names in which bytes before and behind the slash follow each other, and folders of the same names.
    private static var paths: [String] {
        let letters = ["a", " ", "-", ".", "0", "é", "😀"]
        let names = letters.flatMap { first in letters.map { "\(first)\($0)" } } + letters
        return names.filter { $0.first != "." && $0.first != " " }.flatMap { name in
            ["f/\(name)b", "f/\(name)/x", "f/\(name)/y/z", "f/\(name)/\u{10FFFF}q"]
        }
    }

    @Test("A list read page by page is a part of the whole one, in every order", arguments: [1, 3, 50])
    func parts(pageLength: Int) throws {
        var shelf = Shelf(Self.paths)
        let orders = [
            #"{"column": "name", "order": "asc"}"#, #"{"column": "name", "order": "desc"}"#,
            #"{"column": "created_at", "order": "asc"}"#, #"{"column": "created_at", "order": "desc"}"#,
        ]
        for order in orders {
            let whole = try shelf.list(#"{"limit": 10000, "sortBy": \#(order)}"#, pageLength: 10_000)
            #expect(whole.count == Self.paths.count / 2)
            for (limit, offset) in [(0, 0), (1, 0), (7, 5), (20, 40), (10_000, 60), (3, 100_000)] {
                let query = #"{"limit": \#(limit), "offset": \#(offset), "sortBy": \#(order)}"#
                let part = try shelf.list(query, pageLength: pageLength)
                #expect(part == Array(whole.dropFirst(offset).prefix(limit)), "\(query)")
            }
        }
        let found = try shelf.list(#"{"search": "A-", "limit": 100}"#, pageLength: pageLength)
        #expect(found == ["a-/", "a-b"])
    }

    @Test("A page by name costs a page")
    func cost() throws {
        var shelf = Shelf((0..<5000).map { "f/\($0)_a.pdf" })
        #expect(try shelf.list(#"{"limit": 1}"#) == ["0_a.pdf"])
        #expect(shelf.readCount <= 100)
        #expect(try shelf.list(#"{"limit": 200, "offset": 100}"#).count == 200)
        #expect(shelf.readCount <= 400)
    }

    @Test("What lies in a folder is not read behind its first page")
    func folders() throws {
        var shelf = Shelf((0..<5000).map { "f/\($0 % 3)/\($0)" } + ["f/3"])
        #expect(try shelf.list(#"{"limit": 10}"#) == ["0/", "1/", "2/", "3"])
        #expect(shelf.readCount <= 400)
    }
}
