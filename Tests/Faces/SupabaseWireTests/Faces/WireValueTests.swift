import HTTPSyntax
import Media
import Supabase
import TestDeadline
import Testing

/// Tokens, addresses, paths and transforms of the file face.
@Suite(.deadline) struct WireValueTests {
    private static let secret = [UInt8](repeating: 7, count: 32)

    @Test("A token tells its claims until it ends")
    func tokens() throws {
        let text = WireToken.sign(
            .object([JSON.Member("a", .string("ü?>")), JSON.Member("exp", .integer(100))]), with: Self.secret)
        #expect(try WireToken(text, secret: Self.secret, now: 99).claims["a"]?.string == "ü?>")
        #expect(throws: WireToken.Fault.expired) { try WireToken(text, secret: Self.secret, now: 100) }
        #expect(throws: WireToken.Fault.badSignature) {
            try WireToken(text, secret: [UInt8](repeating: 8, count: 32), now: 99)
        }
        #expect(text.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) })
    }

    @Test(
        "What is no token of ours is refused",
        arguments: [
            "", "a", "a.b", "a.b.c", "a.b.c.d",
            // {"alg":"none"}.{}. and {"alg":"HS512"}.{}.x
            "eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzUxMiJ9.e30.x", String(repeating: "a", count: 10_000),
        ])
    func badTokens(text: String) {
        #expect(throws: WireToken.Fault.self) { try WireToken(text, secret: Self.secret, now: 0) }
    }

    @Test("A changed character makes a token invalid")
    func changedTokens() throws {
        let text = WireToken.sign(.object([JSON.Member("sub", .string("me"))]), with: Self.secret)
        for index in text.indices where text[index] != "." {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect((try? WireToken(changed, secret: Self.secret, now: 0)) == nil)
        }
    }

    @Test(
        "An address of a file leads to its path",
        arguments: [
            ("u/resume/1_a.pdf", "u/resume/1_a.pdf"), ("/u/resume/1_a.pdf", "u/resume/1_a.pdf"),
            ("documents/u/resume/1_a.pdf", "u/resume/1_a.pdf"),
            ("http://host/storage/v1/object/public/documents/u/resume/1_a.pdf", "u/resume/1_a.pdf"),
            ("https://host/storage/v1/object/sign/documents/u/resume/1_a.pdf?token=x.y.z", "u/resume/1_a.pdf"),
            ("http://host/storage/v1/object/documents/u/resume/1_R%C3%A9sum%C3%A9%20a.pdf", "u/resume/1_Résumé a.pdf"),
            ("http://host/storage/v1/object/authenticated/documents/u/a", "u/a"),
            ("http://host/elsewhere/u/resume/1_a.pdf", nil), ("http://host/storage/v1/object/public/others/u/a", nil),
        ] as [(String, String?)])
    func addresses(text: String, path: String?) {
        #expect(FileAddresses.path(text) == path)
    }

    @Test(
        "Paths may have any characters but control characters",
        arguments: [
            ("u/resume/1_a.pdf", true), ("u/a b!_-.*'()&$=@;:+,?", true), ("u/Résumé.pdf", true), ("u/履歴書.pdf", true),
            ("u/a^b", true), ("u/a#b", true), ("u/a\"b", true), ("u/a\\b", true), ("u/a%b", true),
            ("u/“O’Neil” — 2026\u{202F}h.pdf", true), ("u/e\u{301}.pdf", true), ("u/\u{301}x.pdf", true),
            ("u/a\u{7F}b", false), ("u/a\u{85}b", false), ("u/a/..", false),
            ("u/" + String(repeating: "a/", count: 512), false),
            ("u/a\nb", false),
            ("u/../b", false), ("u//b", false), ("", false), ("u/🎾.pdf", true), ("u/a\u{200F}b", true),
            ("u/.", false),
        ])
    func paths(text: String, isAllowed: Bool) {
        #expect(((try? BucketPath.parse([text])) != nil) == isAllowed)
    }

    @Test(
        "A transform becomes a recipe",
        arguments: [
            ("width=200&height=100", "200x100", Fit.cover), ("width=200", "200x", .inside),
            ("height=9000", "x2500", .inside),
            ("width=0&height=5&resize=contain", "1x5", .inside), ("", "2500x2500", .inside),
            ("width=7&resize=cover", "7x", .inside), ("width=7&resize=fill", "7x", .inside),
            ("resize=fill", "2500x2500", .inside),
        ])
    func transforms(query: String, box: String, fit: Fit) throws {
        let recipe = try PictureTransform(#require(QueryItems(query))).recipe(prefersWebP: false)
        #expect(recipe.box == Box(parsing: box))
        #expect(recipe.fit == fit)
        #expect(recipe.format == .automatic && recipe.quality == 80)
    }

    @Test("Format, quality, page and time are taken")
    func otherTransforms() throws {
        let all = try PictureTransform(#require(QueryItems("format=webp&quality=33&page=3&time=1.5")))
        let recipe = try all.recipe(prefersWebP: false)
        #expect(recipe.format == .webp && recipe.quality == 33 && recipe.pageIndex == 2)
        let json = JSON.object([JSON.Member("width", .integer(5)), JSON.Member("format", .string("origin"))])
        #expect(try PictureTransform(json).recipe(prefersWebP: true).format == .automatic)
        #expect(try PictureTransform(.object([])).recipe(prefersWebP: true).format == .webp)
    }

    @Test(
        "A transform that makes no sense is refused",
        arguments: [
            "quality=19", "quality=101", "quality=x", "resize=stretch", "format=png", "width=x", "page=0", "time=soon",
            "width=7&height=7&resize=fill",
        ])
    func badTransforms(query: String) throws {
        let items = try #require(QueryItems(query))
        #expect(throws: FileError.self) { try PictureTransform(items) }
    }

    @Test("Values are equal where the database finds them equal")
    func equality() {
        #expect(RowValue.text("caf\u{E9}") != .text("cafe\u{301}"))
        #expect(Set([RowValue.texts(["\u{E9}"]), .texts(["e\u{301}"]), .texts(["\u{E9}"])]).count == 2)
        #expect(RowValue.text("a") == .text("a") && RowValue.integer(1) != .boolean(true))
    }
}
