import ArgumentParser
import Console
import TestDeadline
import Testing

@Suite("Flags read without ArgumentParser", .deadline)
struct WordReaderTests {
    /// A sound value for each flag of both tables that has one.
    private static let values = [
        "preset": "list", "size": "300x200", "fit": "cover", "format": "PNG", "quality": "40", "page": "3", "at": "10%",
        "background": "black", "cache": "/tmp/c", "timeout": "3", "memory": "1G", "memory-budget": "half",
        "max-pixels": "9", "max-whole-pixels": "8", "max-frame-pixels": "7", "max-streams": "6",
        "max-poster-read": "5M", "max-input": "4k", "max-unhashed": "3k", "cache-owner": "12", "cache-budget": "2G",
        "s3-endpoint": "https://s3.example.org",
    ]

    /// What the reader makes of words; `nil` where it leaves them to ArgumentParser.
    private func read<Options: FlagTable>(_ words: [String], as _: Options.Type) -> Options? {
        var reader = WordReader(words, from: 0)
        var options = Options()
        while let word = reader.next() {
            guard reader.take(word, into: &options) else { return nil }
        }
        return options
    }

    private func words<Options: FlagTable>(of flag: CommandFlag<Options>) throws -> [String] {
        flag.arity == .noValue ? ["--\(flag.name)"] : ["--\(flag.name)", try #require(Self.values[flag.name])]
    }

    private func expectAgreement<Options: FlagTable & Equatable>(over _: Options.Type) throws {
        for flag in Options.flags where flag.name != "fit" {
            let words = try words(of: flag)
            let options = try #require(read(words, as: Options.self), "--\(flag.name)")
            #expect(try options == Options.parse(words), "--\(flag.name)")
            #expect(options != Options(), "--\(flag.name)")
        }
        let all = try Options.flags.filter { $0.name != "preset" }.flatMap { try words(of: $0) }
        #expect(try read(all, as: Options.self) == Options.parse(all))
    }

    @Test("Every flag of a recipe means the same to both readers")
    func recipes() throws { try expectAgreement(over: RecipeOptions.self) }

    @Test("Every flag of a setting means the same to both readers")
    func settings() throws { try expectAgreement(over: SettingsOptions.self) }

    @Test("Several presets are several values")
    func presets() throws {
        let words = ["--preset", "list", "--preset", "grid"]
        let options = try #require(read(words, as: RecipeOptions.self))
        #expect(try options == RecipeOptions.parse(words))
        #expect(options.recipes().count == 2)
    }

    @Test(
        "A flag that cannot be read so is left to ArgumentParser",
        arguments: [
            ["--size"], ["--size", ""], ["--size", "huge"], ["--size=300"], ["--size", "3", "--size", "4"],
            ["--background", "-1"], ["--sizes", "3"], ["-s", "3"], ["--"], ["-"], ["--enlarge=yes"],
        ])
    func refused(words: [String]) { #expect(read(words, as: RecipeOptions.self) == nil) }
}
