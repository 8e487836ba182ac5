/// A word of a text in letters and digits of ASCII, which every index takes as one word.
enum IndexWord {
    /// Other characters are written as `_2b_`, by their numbers; so different words stay different.
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
