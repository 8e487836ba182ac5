import Media
import TestDeadline
import Testing

@Suite("Failures", .deadline)
struct FailureTests {
    @Test("Each code has its sentence for people")
    func texts() {
        #expect(Failure(.corrupt).message == "Unable to load file. File may be corrupt.")
        #expect(Failure(.unsupported).message == "Preview unavailable for this file type")
    }

    @Test("Exit statuses follow the table")
    func statuses() {
        let others: [Failure.Code: Int32] = [.usage: 2, .unavailable: 3, .cancelled: 130]
        for code in Failure.Code.allCases { #expect(Failure(code).exitStatus == others[code] ?? 1) }
    }

    @Test("Untrusted text cannot control a terminal or fill a log")
    func bounded() {
        let hostile = "a\u{1B}[31m\nb\u{202E}c\u{85}" + String(repeating: "x", count: 10_000)
        let failure = Failure(.corrupt, detail: hostile)
        #expect(failure.detail.unicodeScalars.count == 500)
        #expect(failure.detail.hasPrefix("a [31m b c x"))
    }
}
