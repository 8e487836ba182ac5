/// Reads the words of a usual call from tables of flags, without ArgumentParser, which takes longer than a whole answer
/// from the cache.
///
/// It reads less than ArgumentParser does: no `--flag=value`, no `--`, no value that begins with a hyphen, no flag with
/// a value twice. A call with one of these goes to ArgumentParser. So does an invalid call, for the error message.
package struct WordReader {
    private let words: [String]
    private var index: Int
    private var given: [String] = []

    /// - Parameter start: the index of the first word to read.
    package init(_ words: [String], from start: Int) {
        self.words = words
        index = start
    }

    /// The next word; `nil` at the end.
    package mutating func next() -> String? {
        guard index < words.count else { return nil }
        defer { index += 1 }
        return words[index]
    }

    /// Whether a word is a file's name: neither a flag nor `-`, which stands for standard input.
    package static func isName(_ word: String) -> Bool { !word.isEmpty && word.utf8.first != UInt8(ascii: "-") }

    /// Stores a flag and its value, the next word, in the options whose table has it.
    ///
    /// - Returns: `false` if the table does not have the flag, or the flag cannot be read here.
    package mutating func take<Options: FlagTable>(_ word: String, into options: inout Options) -> Bool {
        for flag in Options.flags where flag.isNamed(word) {
            if flag.arity == .noValue { return flag.store(&options, "") }
            guard flag.arity == .values || !given.contains(flag.name), let value = next(), Self.isName(value) else {
                return false
            }
            given.append(flag.name)
            return flag.store(&options, value)
        }
        return false
    }
}
