import Foundation
import TestDeadline
import TestSupport
import Testing

/// Comments are held against what can be checked of them: that they are there, that they tell more than the name, and that a
/// reader of the repository alone can follow them.
@Suite("Every shared declaration says what it is", .deadline)
struct DocumentationTests {
    private let files: [SourceFile]

    init() throws { files = try SourceFile.all(below: "Sources") }

    @Test("Every public and package declaration has a documentation comment")
    func presence() {
        let shared = files.flatMap(\.declarations).filter { declaration in
            declaration.isShared && !["extension", "case"].contains(declaration.head.keyword)
        }
        #expect(shared.count > 1000)
        let silent = shared.filter(\.comment.isEmpty).map(\.place)
        #expect(silent.isEmpty, "\(silent.count) without a sentence: \(silent.joined(separator: ", "))")
    }

    /// A comment is refused where all its words are words of the declaration's name or of the types around it, as
    /// `The job's priority.` above `priority` in `Job`.
    ///
    /// Articles, pronouns, prepositions and the like do not count, nor do endings: `makes` is `make`, and `decoded` is
    /// `decode`. A digit in the comment counts as something new: `From 1.` tells more than the name.
    @Test("No documentation comment only repeats the words of the name")
    func repetition() {
        let repetitions = files.flatMap(\.declarations).filter { declaration in
            let comment = declaration.comment.joined(separator: " ")
            if comment.isEmpty || comment.contains(where: \.isNumber) { return false }
            let known = Words(in: ([declaration.head.name] + declaration.enclosing).joined(separator: " "))
            return Words(in: comment).isSubset(of: known)
        }.map { "\($0.place):\($0.comment.joined(separator: " "))" }
        #expect(repetitions.isEmpty, "\(repetitions.joined(separator: "\n"))")
    }

    @Test("The rule of repetition refuses repetitions, and nothing else")
    func rule() {
        func repeats(_ comment: String, _ names: String) -> Bool { Words(in: comment).isSubset(of: Words(in: names)) }
        #expect(repeats("The job's priority.", "Job priority"))
        #expect(repeats("Whether it is alone.", "Attempt isAlone"))
        #expect(repeats("Makes a folder.", "OpenFolder makeFolder"))
        #expect(repeats("The size in which it was decoded.", "PixelSource decodedSize"))
        #expect(!repeats("How urgent the job is.", "Job priority"))
        #expect(!repeats("When the attempt ended; `nil` while it runs.", "Attempt ended"))
    }

    @Test("Texts of the sources name no document outside the repository")
    func outsideDocuments() throws {
        let documents = ["SANDBOX.md", "PRODUCT.md", "STYLE.md", "WIRE.md", "JOBS.md", "SCREENS.md", "../shared"]
        let listing = try CompassProgram.run("/usr/bin/git", ["-C", Checkout.folder, "ls-files"]).lines
        var mentions: [String] = []
        for path in listing where ["swift", "h", "c", "cpp", "py"].contains(path.split(separator: ".").last ?? "") {
            if path.hasSuffix("/DocumentationTests.swift") { continue }
            guard let text = try? String(contentsOfFile: "\(Checkout.folder)/\(path)", encoding: .utf8) else {
                continue
            }
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                // The corpus lies there by default.
                let line = line.replacingOccurrences(of: "../shared/corpus", with: "")
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                if documents.contains(where: line.contains) || words.contains("DESIGN") || words.contains("PRODUCT") {
                    mentions.append("\(path):\(index + 1)")
                }
            }
        }
        #expect(mentions.isEmpty, "\(mentions.joined(separator: ", "))")
    }
}

/// The words of a text that carry a meaning, without their endings.
private struct Words {
    private var words: Set<String> = []

    private static let meaningless: Set<String> = [
        "a", "an", "the", "of", "this", "that", "these", "those", "it", "its", "is", "are", "was", "were", "be", "been",
        "has", "have", "had", "for", "to", "in", "on", "at", "by", "with", "as", "and", "or", "from", "which", "who",
        "whose", "what", "where", "when", "whether", "how", "there", "one", "each", "every", "any", "all", "some",
        "not", "no", "than", "then", "so", "get", "gets", "return", "returns", "s",
    ]

    /// - Parameter text: names are taken apart where a small letter meets a large one.
    init(in text: String) {
        var word = ""
        var previous: Character = " "
        for character in text + " " {
            if !character.isLetter || (character.isUppercase && previous.isLowercase) {
                insert(word.lowercased())
                word = ""
            }
            if character.isLetter { word.append(character) }
            previous = character
        }
    }

    func isSubset(of other: Words) -> Bool { words.isSubset(of: other.words) }

    private mutating func insert(_ word: String) {
        guard !word.isEmpty, !Self.meaningless.contains(word) else { return }
        var stem = Substring(word)
        if stem.hasSuffix("ies") {
            stem = stem.dropLast(3) + "y"
        } else if stem.hasSuffix("s"), !stem.hasSuffix("ss"), stem.count > 3 {
            stem = stem.dropLast()
        }
        for ending in ["ing", "ed", "e"] where stem.hasSuffix(ending) && stem.count > ending.count + 2 {
            stem = stem.dropLast(ending.count)
            break
        }
        words.insert(String(stem))
    }
}
