internal import Media

/// Makes texts safe for a terminal.
enum Printable {
    /// The text with control characters and changes of direction escaped (`\\x1b`); line ends and tabs stay.
    static func lines(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy(isHarmless) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if isHarmless(scalar) {
                out.append(scalar)
            } else {
                for byte in String(scalar).utf8 { out.append(contentsOf: "\\x\(Hex.string([byte]))".unicodeScalars) }
            }
        }
        return String(out)
    }

    /// An error message about a call, with the call's arguments quoted as by `FilePath.shown`.
    static func complaint(_ text: String, about arguments: [String]) -> String {
        var text = text
        for argument in arguments {
            for part in [argument[...]] + argument.split(separator: "=", maxSplits: 1) {
                let shown = FilePath(carrier: String(part)).shown
                if shown != part { text = replace(part, in: text, by: shown) }
            }
        }
        return text
    }

    private static func replace(_ part: Substring, in text: String, by other: String) -> String {
        var out = ""
        var rest = text[...]
        while !rest.isEmpty {
            if rest.unicodeScalars.starts(with: part.unicodeScalars) {
                out += other
                rest = Substring(rest.unicodeScalars.dropFirst(part.unicodeScalars.count))
            } else {
                out.unicodeScalars.append(rest.unicodeScalars.removeFirst())
            }
        }
        return out
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\t" || Failure.isPrintable(scalar)
    }
}
