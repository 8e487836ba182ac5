import HTTPSyntax
import Media
import TestDeadline
import Testing

@Suite("Types that clients accept", .deadline)
struct AcceptedTypesTests {
    private func accepted(_ text: String?) -> AcceptedTypes {
        AcceptedTypes(text.map { [HeaderField("Accept", $0)] } ?? [])
    }

    @Test(
        "A picture's type follows the client, and WebP goes only to those who name it",
        arguments: [
            // Chrome's, Safari's and Firefox's image tags; URLSession and curl; none.
            ("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", .webp),
            (
                "image/webp,image/avif,image/jxl,image/heic,image/heic-sequence,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5",
                .webp
            ),
            ("image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5", .png), ("*/*", .jpeg), (nil, .jpeg), ("image/*", .jpeg),
            ("image/webp;q=0.5,image/png", .png), ("image/webp;q=0,*/*", .jpeg),
            ("image/jpeg;q=0.5,image/*;q=0.1", .jpeg),
            ("text/html", nil), ("image/jpeg;q=0,image/png;q=0,image/webp;q=0,*/*", nil), ("", nil),
            ("IMAGE/WEBP", .webp), ("image/webp;q=1.0001,image/png;q=0.2", .png), ("image/webp;q=abc,*/*", .jpeg),
            ("image/png;q=0.001", .png), ("image/webp;level=1", .webp), ("nonsense,,image/png", .png),
        ] as [(String?, MediaType?)])
    func pictures(text: String?, expected: MediaType?) {
        #expect(accepted(text).best(of: [.webp, .jpeg, .png], onlyNamed: [.webp]) == expected)
    }

    @Test("The closest range counts, in any order")
    func precision() {
        let types = accepted("*/*;q=0.9, image/*;q=0.2, image/png;q=0.7")
        #expect(types.quality(of: .png) == 700 && types.quality(of: .jpeg) == 200 && types.quality(of: .pdf) == 900)
        #expect(types.names(.png) && !types.names(.jpeg))
    }

    @Test(
        "A browser's page request prefers a page, a program's does not",
        arguments: [
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", true), ("*/*", false), (nil, false),
            ("application/json", false), ("application/json, text/html;q=0.5", false), ("text/html", true),
        ] as [(String?, Bool)])
    func pages(text: String?, prefersPage: Bool) {
        #expect(accepted(text).prefersPage == prefersPage)
    }
}
