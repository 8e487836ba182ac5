import People
import TestDeadline
import Testing

@Suite(.deadline) struct ProgramNameTests {
    @Test(
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
                    + "Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                    + "Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 "
                    + "Mobile Safari/537.36",
                "Chrome on Android"
            ),
            ("python-httpx/0.28.1", "python-httpx"), ("supabase-swift/2.0 (x)", "supabase-swift"), ("Mozilla/5.0", ""),
            ("", ""), ("<script>alert(1)</script>", ""), ("\u{202e}evil", ""),
        ])
    func aProgramIsCalledByABriefName(field: String, name: String) {
        #expect(ProgramName(userAgent: field).text == name)
    }

    @Test func anAbsentOrEndlessFieldIsHarmless() {
        #expect(ProgramName(userAgent: nil).text == "")
        #expect(ProgramName(userAgent: String(repeating: "a", count: 1_000_000)).text.count == 40)
    }
}
