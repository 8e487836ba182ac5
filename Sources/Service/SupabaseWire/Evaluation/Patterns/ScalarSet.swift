/// The characters that one place of a regular expression accepts.
struct ScalarSet: Hashable, Sendable {
    /// A class with a name.
    enum Class: String, Hashable, Sendable, CaseIterable {
        case alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, space, upper, xdigit, word
    }

    var ranges: [ClosedRange<Unicode.Scalar>] = []
    var classes: [Class] = []
    /// Classes whose characters are left out.
    var complements: [Class] = []
    var isInverted = false
    var ignoresCase = false

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var isIn = holds(scalar)
        if !isIn, ignoresCase {
            let properties = scalar.properties
            for text in [properties.lowercaseMapping, properties.uppercaseMapping] {
                let mapped = text.unicodeScalars
                if mapped.count == 1, let first = mapped.first, first != scalar, holds(first) { isIn = true }
            }
        }
        return isIn != isInverted
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar) } || classes.contains { Self.has(scalar, $0) }
            || complements.contains { !Self.has(scalar, $0) }
    }

    static func isWord(_ scalar: Unicode.Scalar) -> Bool { has(scalar, .word) }

    private static func has(_ scalar: Unicode.Scalar, _ set: Class) -> Bool {
        let properties = scalar.properties
        switch set {
        case .alpha: return properties.isAlphabetic
        case .digit: return properties.numericType == .decimal
        case .alnum: return has(scalar, .alpha) || has(scalar, .digit)
        case .word: return scalar == "_" || has(scalar, .alnum)
        case .blank: return scalar == " " || scalar == "\t"
        case .cntrl: return properties.generalCategory == .control
        case .lower: return properties.isLowercase
        case .upper: return properties.isUppercase
        case .space: return properties.isWhitespace
        case .xdigit: return scalar.isASCII && properties.isASCIIHexDigit
        case .graph: return has(scalar, .print) && !properties.isWhitespace
        case .print:
            switch properties.generalCategory {
            case .control, .unassigned, .surrogate, .lineSeparator, .paragraphSeparator: return false
            default: return true
            }
        case .punct: return has(scalar, .graph) && !has(scalar, .alnum)
        }
    }
}
