import Documents
import HTTPSyntax
import Media
import Supabase
import TestDeadline
import Testing

/// What uploads say of a file beside its bytes.
@Suite(.deadline) struct FileNotesTests {
    private static func header(_ fields: KeyValuePairs<String, String>) -> [HeaderField] {
        fields.map { HeaderField($0.key, $0.value) }
    }

    @Test("A file that is the body has its notes in the header")
    func headers() throws {
        let metadata = Base64.encode(Array(#"{"a": [1]}"#.utf8))
        let notes = try FileNotes(headers: Self.header(["cache-control": "max-age=60", "x-metadata": metadata]))
        #expect(notes == FileNotes(cacheControl: "max-age=60", metadata: .object(["a": .array([.integer(1)])])))
        #expect(try FileNotes(headers: Self.header([:])).isEmpty)
    }

    @Test("A form and tus have seconds, and metadata as a text")
    func texts() throws {
        #expect(
            try FileNotes(seconds: "3600", metadata: "{}")
                == FileNotes(cacheControl: "max-age=3600", metadata: .object([])))
        #expect(try FileNotes(seconds: nil, metadata: nil).isEmpty && FileNotes(seconds: "", metadata: "").isEmpty)
    }

    @Test("Notes that cannot be kept are refused")
    func refused() {
        for seconds in ["x", "-1", "1.5", "max-age=60", "99999999999"] {
            #expect(throws: FileError.self, "\(seconds)") { try FileNotes(seconds: seconds, metadata: nil) }
        }
        for metadata in ["[]", "{", "1", #"{"a": "\#(String(repeating: "x", count: 20_000))"}"#] {
            #expect(throws: FileError.self) { try FileNotes(seconds: nil, metadata: metadata) }
            let header = Self.header(["x-metadata": Base64.encode(Array(metadata.utf8))])
            #expect(throws: FileError.self) { try FileNotes(headers: header) }
        }
        for value in ["max-age=60\u{7F}", "é", String(repeating: "x", count: 256)] {
            #expect(throws: FileError.self) { try FileNotes(headers: Self.header(["Cache-Control": value])) }
        }
    }

    @Test(
        "Caches that many share keep nothing of a private bucket",
        arguments: [
            (nil, "private, no-cache"), ("max-age=3600", "private, max-age=3600"),
            ("public, max-age=60, s-maxage=600, immutable", "private, max-age=60, immutable"),
            ("Private,no-store", "private, no-store"), ("PUBLIC", "private"), (",,", "private"),
        ] as [(String?, String)])
    func privateBucket(given: String?, told: String) {
        #expect(FileNotes(cacheControl: given).privateCacheControl == told)
    }

    @Test("Nothing is kept for longer than its signed address is good")
    func signed() {
        for (kept, told) in [
            (nil, "private, max-age=60"), ("max-age=3600", "private, max-age=60"),
            ("public, max-age=7", "private, max-age=7"), ("no-cache", "private, no-cache, max-age=60"),
            ("max-age=nonsense", "private, max-age=60"), ("max-age=-5", "private, max-age=0"),
            ("s-maxage=9, stale-while-revalidate=9", "private, max-age=60"),
        ] as [(String?, String)] {
            #expect(FileNotes(cacheControl: kept).privateCacheControl(atMost: 60) == told)
        }
        #expect(FileNotes().privateCacheControl(atMost: -3) == "private, max-age=0")
    }
}
