import Console
import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Flags and settings that messages name", .deadline)
struct FlagNameTests {
    /// What the programs take, by their own account.
    private func flags() throws -> Set<String> {
        var flags: Set<String> = ["--help", "--version"]
        for name in ["compass", "documentd", "thumbd"] {
            let program = String(CompassProgram.executable.dropLast("compass".count)) + name
            let dump = try #require(try CompassProgram.run(program, ["--experimental-dump-help"]).wholeJSON)
            collect(dump, into: &flags)
        }
        return flags
    }

    private func collect(_ value: JSON, into flags: inout Set<String>) {
        if value["kind"]?.string == "long", let name = value["name"]?.string { flags.insert("--\(name)") }
        for member in value.members ?? [] { collect(member.value, into: &flags) }
        for element in value.array ?? [] { collect(element, into: &flags) }
    }

    @Test("Every flag that a text of the sources names exists")
    func named() throws {
        let flags = try flags()
        #expect(flags.contains("--memory") && flags.contains("--drain") && flags.contains("--print0"))
        let walk = FileManager.default.enumerator(atPath: "\(Checkout.folder)/Sources")
        var count = 0
        for case let path as String in walk! where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(Checkout.folder)/Sources/\(path)", encoding: .utf8)
            for line in text.split(separator: "\n") where line.contains("\"") || !line.contains("//") {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "-") }
                for word in words where word.hasPrefix("--") && word.dropFirst(2).first?.isLetter == true {
                    count += 1
                    #expect(flags.contains(String(word)), "\(path): \(line)")
                }
            }
        }
        #expect(count > 30)
    }

    @Test("Every flag of a setting exists in one of the programs")
    func settingFlags() throws {
        let flags = try flags()
        for setting in Setting.allCases {
            guard let flag = setting.flag else { continue }
            #expect(flags.contains("--\(flag.name)"))
        }
    }

    @Test("Every setting that a message names exists")
    func settings() throws {
        let program = try CompassProgram()
        defer { program.remove() }
        let settings = Set((try program.run(["config", "--json"]).json.first?.members ?? []).map(\.key))
        let walk = FileManager.default.enumerator(atPath: "\(Checkout.folder)/Sources")
        var count = 0
        for case let path as String in walk! where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: "\(Checkout.folder)/Sources/\(path)", encoding: .utf8)
            for part in text.components(separatedBy: "(setting ").dropFirst() {
                count += 1
                let name = String(part.prefix { $0.isLetter || $0 == "-" })
                #expect(settings.contains(name), "\(path): setting \(name)")
            }
        }
        #expect(count > 2)
    }
}

extension CompassProgram.Output {
    /// All of standard output as one value.
    fileprivate var wholeJSON: JSON? { try? JSON(parsing: Array(bytes)) }
}
