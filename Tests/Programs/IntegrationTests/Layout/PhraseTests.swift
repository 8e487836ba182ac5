import Foundation
import TestDeadline
import TestSupport
import Testing

/// Phrases that mark a text as translated. The screens have texts of their own.
@Suite(.deadline) struct PhraseTests {
    private static let phrases = [
        "anew", "at the longest", "be had", "belongs into", "for ever", "for who", "goes on with", "is no regular file",
        "is to blame", "is well again", "made sure of", "not to be had", "that is none", "who has sent",
        "worth nothing",
    ]

    @Test("No text has a phrase that nobody would write in English", arguments: phrases)
    func phrase(_ phrase: String) throws {
        let patterns = ["*.swift", "*.c", "*.h", "*.cpp", "*.py", "*.md", "Makefile"]
        let others = [":!Sources/Faces/Web", ":!*/PhraseTests.swift"]
        let found = try CompassProgram.run(
            "/usr/bin/git", ["-C", Checkout.folder, "grep", "-inw", "-F", "-e", phrase, "--"] + patterns + others)
        #expect(found.lines.isEmpty, "\(found.lines.joined(separator: "\n"))")
    }

    @Test("The files are found")
    func files() throws {
        let found = try CompassProgram.run(
            "/usr/bin/git", ["-C", Checkout.folder, "grep", "-lw", "-F", "-e", "the", "--", "*.swift", "*.md"])
        #expect(found.lines.count > 1000)
    }
}
