import Documents
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("ID", .deadline)
struct IDTests {
    @Test("Text and bytes are read back as the same identity")
    func roundTrip() throws {
        var random = SplitMix(seed: 1)
        for _ in 0..<500 {
            let bytes = (0..<16).map { _ in UInt8(random.next(below: 256)) }
            let id = try #require(ID<Document>(bytes: bytes))
            #expect(id.bytes == bytes && ID(id.text) == id && ID(id.text.uppercased()) == id)
        }
        let id = try #require(ID<Document>("0190a1b2-c3d4-7e5f-8061-728394a5b6c7"))
        #expect(id.text == "0190a1b2-c3d4-7e5f-8061-728394a5b6c7" && id.bytes[0] == 1 && id.bytes[15] == 0xC7)
        #expect(ID<Document>(bytes: [1, 2]) == nil)
    }

    @Test(
        "What is no UUID is no identity",
        arguments: [
            "", "0190a1b2c3d47e5f8061728394a5b6c7", "0190a1b2-c3d4-7e5f-8061-728394a5b6c",
            "0190a1b2-c3d4-7e5f-8061-728394a5b6c7 ",
            "g190a1b2-c3d4-7e5f-8061-728394a5b6c7", "0190a1b2-c3d4-7e5f-80617-28394a5b6c7",
            "{190a1b2-c3d4-7e5f-8061-728394a5b6c}",
            "é190a1b2-c3d4-7e5f-8061-728394a5b6c", "0190a1b2-c3d4-7e5f-8061-728394a5b6c7\u{0}",
        ])
    func refused(text: String) { #expect(ID<Document>(text) == nil) }

    @Test("New identities are of version 7, all different, and sort by their time")
    func versionSeven() {
        let ids = (0..<200).map {
            ID<Document>.make(at: Instant(microseconds: 1_800_000_000_000_000 + Int64($0) * 1000))
        }
        #expect(ids == ids.sorted() && Set(ids).count == 200 && ids.map(\.text) == ids.map(\.text).sorted())
        #expect(ids.allSatisfy { $0.bytes[6] >> 4 == 7 && $0.bytes[8] >> 6 == 2 })
        #expect(ids[0].bytes[..<6].reduce(0) { $0 << 8 | Int($1) } == 1_800_000_000_000)
        let same = (0..<1000).map { _ in ID<Document>.make(at: Instant(microseconds: 5)) }
        #expect(Set(same).count == 1000)
    }
}

@Suite("Instant", .deadline)
struct InstantTests {
    @Test(
        "ISO 8601 is read to the microsecond and written as the API and as PostgreSQL write it",
        arguments: [
            ("2026-01-31T09:00:00.12Z", "2026-01-31T09:00:00.120Z", "2026-01-31T09:00:00.12+00:00"),
            ("2026-01-31 09:00:00+00", "2026-01-31T09:00:00.000Z", "2026-01-31T09:00:00+00:00"),
            ("2026-01-31T09:00:00.123456789+01:30", "2026-01-31T07:30:00.123Z", "2026-01-31T07:30:00.123456+00:00"),
            ("2026-01-31T23:59:59-0800", "2026-02-01T07:59:59.000Z", "2026-02-01T07:59:59+00:00"),
            ("2024-02-29", "2024-02-29T00:00:00.000Z", "2024-02-29T00:00:00+00:00"),
            ("2026-01-31t09:00z", "2026-01-31T09:00:00.000Z", "2026-01-31T09:00:00+00:00"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z", "1969-12-31T23:59:59.5+00:00"),
            ("1900-03-01T00:00:00Z", "1900-03-01T00:00:00.000Z", "1900-03-01T00:00:00+00:00"),
            ("2026-01-31T09:00:60Z", "2026-01-31T09:01:00.000Z", "2026-01-31T09:01:00+00:00"),
        ])
    func texts(text: String, api: String, postgres: String) throws {
        let instant = try #require(Instant(text))
        #expect(instant.description == api && instant.postgresText == postgres)
        #expect(Instant(postgres) == instant)
    }

    @Test(
        "What is no moment is refused",
        arguments: [
            "", "2026", "2026-13-01", "2026-00-01", "2026-01-32", "2026-02-29", "2026-04-31", "1900-02-29", "2026-1-1",
            "2026-01-31T", "2026-01-31T25:00:00Z", "2026-01-31T09:60:00Z", "2026-01-31T09:00:00.Z",
            "2026-01-31T09:00:00+25:00",
            "2026-01-31T09:00:00 Z", "2026-01-31T09:00:00Zx", "yesterday", "2026-01-31T09:00:00.1234567890123456789Z",
        ])
    func refused(text: String) { #expect(Instant(text) == nil) }

    @Test("Every day from 1890 to 2110 is written as its date, and read back")
    func days() {
        var (year, month, day) = (1890, 1, 1)
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var microseconds: Int64 = -80 * 365 * 86_400_000_000 - 19 * 86_400_000_000
        while year < 2110 {
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let text = "\(year)-\(two(month))-\(two(day))T00:00:00.000Z"
            #expect(Instant(microseconds: microseconds).description == text)
            #expect(Instant(text)?.microseconds == microseconds)
            microseconds += 86_400_000_000
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = month == 2 && isLeap ? 29 : lengths[month - 1]
            (year, month, day) =
                day < length ? (year, month, day + 1) : month < 12 ? (year, month + 1, 1) : (year + 1, 1, 1)
        }
    }

    @Test("Durations are added to the microsecond")
    func arithmetic() {
        let moment = Instant(microseconds: 1_000_000)
        #expect(
            (moment + .milliseconds(1)).microseconds == 1_001_000 && (moment - .seconds(2)).microseconds == -1_000_000)
        #expect((moment + .nanoseconds(1999)).microseconds == 1_000_001 && moment < moment + .microseconds(1))
    }
}

@Suite("ListCursor", .deadline)
struct ListCursorTests {
    private let id = ID<Document>("0190a1b2-c3d4-7e5f-8061-728394a5b6c7")!

    @Test("A place is read back from its text, whatever the key", arguments: ListQuery.Sort.allCases)
    func roundTrip(sort: ListQuery.Sort) {
        for key in ["", "résumé \"quoted\" \\ \n 🏈", String(repeating: "é", count: 100)] {
            let key = sort == .mostShared ? "12" : key
            let cursor = ListCursor(sort: sort, key: key, created: Instant(microseconds: -5), id: id)
            #expect(ListCursor(text: cursor.text) == cursor)
            #expect(cursor.text.utf8.allSatisfy { ($0 >= 48 && $0 < 58) || ($0 >= 97 && $0 < 103) })
        }
    }

    @Test("No text but a cursor's own is a place")
    func refused() {
        let cursor = ListCursor(sort: .mostShared, key: "12", created: Instant(microseconds: 1), id: id)
        for text in [
            "", "x", "7b7d", "5b5d", String(cursor.text.dropLast()), String(cursor.text.dropLast(2)),
            cursor.text + "00",
        ] {
            #expect(ListCursor(text: text) == nil, "\(text)")
        }
        func text(_ json: String) -> String { Hex.string(Array(json.utf8)) }
        for json in [
            "[\"newest\",\"\",1]", "[\"newest\",\"\",1,\"no id\"]", "[\"no sort\",\"\",1,\"\(id)\"]",
            "[\"newest\",\"\",1.5,\"\(id)\"]",
            "[\"most_shared\",\"many\",1,\"\(id)\"]", "[\"newest\",null,1,\"\(id)\"]",
            "[\"newest\",\"\",1,\"\(id)\",2]",
        ] { #expect(ListCursor(text: text(json)) == nil, "\(json)") }
        #expect(ListCursor(text: text("[\"newest\",\"\",1,\"\(id)\"]")) != nil)
        #expect(ListCursor(text: String(repeating: "0", count: 5000)) == nil)
    }
}
