/// Writes a word in ASCII letters and digits, which every index treats as one word.
enum IndexWord {
    /// Other characters are written by their numbers, as `_2b_`, so that different words stay different.
    static func encoded(_ word: String) -> String {
        var text = ""
        for scalar in word.unicodeScalars {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A: text.unicodeScalars.append(scalar)
            default: text += "_\(String(scalar.value, radix: 16))_"
            }
        }
        return text
    }
}
