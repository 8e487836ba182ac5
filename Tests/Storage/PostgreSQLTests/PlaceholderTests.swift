import Database
import TestDeadline
import Testing

@Suite("Statements are written as PostgreSQL has them", .deadline)
struct PlaceholderTests {
    @Test(
        "Question marks get numbers, but for those in texts and names",
        arguments: [
            ("SELECT ?, ?", "SELECT $1, $2"), ("a = ?2 OR b = ?1", "a = $2 OR b = $1"),
            ("SELECT '?', \"a?\", ?", "SELECT '?', \"a?\", $1"), ("'it''s ?' || ?", "'it''s ?' || $1"), ("?", "$1"),
        ])
    func numbered(sql: String, expected: String) { #expect(PlaceholderText.numbered(sql) == expected) }

    @Test(
        "Texts of arrays are quoted",
        arguments: [
            ([], "{}"), (["a", "b"], #"{"a","b"}"#), ([nil, ""], #"{NULL,""}"#), ([#"a"b\c,{}"#], #"{"a\"b\\c,{}"}"#),
        ] as [([String?], String)])
    func arrays(texts: [String?], expected: String) { #expect(SQLArray.text(texts) == expected) }
}
