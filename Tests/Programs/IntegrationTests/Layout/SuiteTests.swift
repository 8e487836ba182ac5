import Foundation
import TestDeadline
import Testing

@Suite("Tests end", .deadline)
struct SuiteTests {
    /// All files of tests, as (target, file).
    private static let files: [(target: String, file: SourceFile)] = {
        try! SourceFile.all(below: "Tests").compactMap { file in
            let target = file.path.split(separator: "/").dropLast().first { $0.hasSuffix("Tests") }
            return target.map { (String($0), file) }
        }
    }()

    /// A suite at the top level with its traits; suites inside it have them too.
    private static var suite: Regex<(Substring, Substring, Substring)> {
        /^@Suite(.*?)\s(?:(?:private|package|public|final) )*(?:struct|class|enum|actor) (\w+)/
            .anchorsMatchLineEndings().dotMatchesNewlines()
    }

    /// A type at the top level, or an extension of one.
    private static var type: Regex<(Substring, Substring)> {
        /^(?:@Suite.*? )?(?:\w+ )*(?:struct|class|enum|actor|extension) (\w+)/
    }

    @Test("Every suite has a deadline")
    func deadlines() {
        let suites = Self.files.flatMap { _, file in
            file.text.matches(of: Self.suite).map { (place: "\(file.path): \($0.2)", traits: $0.1) }
        }
        #expect(suites.count > 300)
        let endless = suites.filter { !$0.traits.contains(".deadline") }.map(\.place)
        #expect(endless == [], "add the trait `.deadline` of TestDeadline")
    }

    @Test("Every test is in a suite")
    func tests() {
        let suites = Set(
            Self.files.flatMap { target, file in file.text.matches(of: Self.suite).map { "\(target).\($0.2)" } })
        var count = 0
        for (target, file) in Self.files {
            var name = ""
            for line in file.lines {
                if let match = line.prefixMatch(of: Self.type) { name = String(match.1) }
                guard line.trimmingPrefix(while: { $0 == " " }).hasPrefix("@Test") else { continue }
                count += 1
                #expect(suites.contains("\(target).\(name)"), "\(file.path): a test in \(name), which is no suite")
            }
        }
        #expect(count > 1800)
    }

    @Test("No test waits without a bound for what another thread does")
    func waits() {
        for (target, file) in Self.files where target != "LinuxTests" {
            for (number, line) in file.lines.enumerated() where line.contains(".wait()") && !line.contains("await ") {
                #expect(Bool(false), "\(file.path):\(number + 1): take `value()` of TestSupport, which has a bound")
            }
        }
    }
}
