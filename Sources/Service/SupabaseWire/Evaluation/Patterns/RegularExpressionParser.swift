/// Reads a regular expression as PostgreSQL's manual describes it (section 9.7.3, "POSIX Regular Expressions").
struct RegularExpressionParser {
    /// Deeper nesting is refused: it could overflow the stack.
    private static let deepestNesting = 64
    /// The most repetitions that bounds may say.
    private static let mostRepetitions = 255

    private var rest: Substring.UnicodeScalarView
    private var ignoresCase: Bool
    private var nesting = 0

    init(_ text: String, ignoresCase: Bool) {
        rest = text[...].unicodeScalars
        self.ignoresCase = ignoresCase
    }

    static func fault(_ words: String) -> RowError {
        RowError(400, "2201B", "invalid regular expression: \(words)")
    }

    /// The whole expression.
    mutating func expression() throws(RowError) -> RegularExpression.Node {
        if take("***") { throw .notBuilt("Directors of regular expressions are not built.") }
        try options()
        let node = try choice()
        guard rest.isEmpty else { throw Self.fault("parentheses () not balanced") }
        return node
    }

    /// Letters in `(?…)` at the start.
    private mutating func options() throws(RowError) {
        guard rest.starts(with: "(?".unicodeScalars), let third = rest.dropFirst(2).first, ("a"..."z").contains(third)
        else { return }
        rest.removeFirst(2)
        while let option = rest.popFirst(), option != ")" {
            switch option {
            case "i": ignoresCase = true
            case "c": ignoresCase = false
            case "e", "s", "t": break
            default: throw .notBuilt("This option of regular expressions is not built.")
            }
        }
    }

    private mutating func choice() throws(RowError) -> RegularExpression.Node {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.deepestNesting else { throw Self.fault("regular expression is too complex") }
        var branches = [try branch()]
        while take("|") { branches.append(try branch()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func branch() throws(RowError) -> RegularExpression.Node {
        var nodes: [RegularExpression.Node] = []
        while let next = rest.first, next != "|", next != ")" {
            let atom = try atom()
            nodes.append(try quantified(atom))
        }
        return nodes.isEmpty ? .empty : .sequence(nodes)
    }

    private mutating func quantified(_ atom: RegularExpression.Node) throws(RowError) -> RegularExpression.Node {
        let bounds: (least: Int, most: Int?)
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if startsBounds {
            rest.removeFirst()
            bounds = try self.bounds()
        } else {
            return atom
        }
        if case .assertion = atom { throw Self.fault("quantifier operand invalid") }
        // Whether the shortest text is preferred makes no difference to whether there is one.
        _ = take("?")
        if let next = rest.first, next == "*" || next == "+" || next == "?" || startsBounds {
            throw Self.fault("quantifier operand invalid")
        }
        return .repetition(atom, least: bounds.least, most: bounds.most)
    }

    private var startsBounds: Bool {
        rest.first == "{" && rest.dropFirst().first.map { ("0"..."9").contains($0) } == true
    }

    /// What stands behind `{`.
    private mutating func bounds() throws(RowError) -> (least: Int, most: Int?) {
        let least = try number()
        var most: Int? = least
        if take(",") { most = rest.first == "}" ? nil : try number() }
        guard take("}") else {
            throw Self.fault(rest.isEmpty ? "braces {} not balanced" : "invalid repetition count(s)")
        }
        guard most.map({ $0 >= least }) != false else { throw Self.fault("invalid repetition count(s)") }
        return (least, most)
    }

    private mutating func number() throws(RowError) -> Int {
        var value = 0
        var hasDigits = false
        while let digit = rest.first, ("0"..."9").contains(digit) {
            rest.removeFirst()
            hasDigits = true
            value = value * 10 + Int(digit.value - 0x30)
            guard value <= Self.mostRepetitions else { throw Self.fault("invalid repetition count(s)") }
        }
        guard hasDigits else {
            throw Self.fault(rest.isEmpty ? "braces {} not balanced" : "invalid repetition count(s)")
        }
        return value
    }

    private mutating func atom() throws(RowError) -> RegularExpression.Node {
        switch rest.removeFirst() {
        case "(": return try group()
        case "[": return try bracket()
        case ".": return .set(ScalarSet(isInverted: true))
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "\\": return try escape()
        case "*", "+", "?": throw Self.fault("quantifier operand invalid")
        case "{" where rest.first.map({ ("0"..."9").contains($0) }) == true:
            throw Self.fault("quantifier operand invalid")
        case let scalar: return literal(scalar)
        }
    }

    private func literal(_ scalar: Unicode.Scalar) -> RegularExpression.Node {
        .set(ScalarSet(ranges: [scalar...scalar], ignoresCase: ignoresCase))
    }

    private mutating func group() throws(RowError) -> RegularExpression.Node {
        if take("?") {
            guard take(":") else { throw .notBuilt("Looking ahead and behind in regular expressions is not built.") }
        }
        let node = try choice()
        guard take(")") else { throw Self.fault("parentheses () not balanced") }
        // So that `(^)*` is refused no more than PostgreSQL does, a group is never a bare assertion.
        return .sequence([node])
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest.removeFirst(text.unicodeScalars.count)
        return true
    }
}

/// Escapes.
extension RegularExpressionParser {
    private mutating func escape() throws(RowError) -> RegularExpression.Node {
        guard let scalar = rest.popFirst() else { throw Self.fault("invalid escape \\ sequence") }
        if let set = Self.namedClass(scalar) { return .set(set) }
        switch scalar {
        case "A": return .assertion(.start)
        case "Z": return .assertion(.end)
        case "m": return .assertion(.wordStart)
        case "M": return .assertion(.wordEnd)
        case "y": return .assertion(.wordEdge)
        case "Y": return .assertion(.noWordEdge)
        case "1"..."9": throw .notBuilt("References back in regular expressions are not built.")
        default: return literal(try escapedScalar(scalar))
        }
    }

    private static func namedClass(_ scalar: Unicode.Scalar) -> ScalarSet? {
        switch scalar {
        case "d": ScalarSet(classes: [.digit])
        case "s": ScalarSet(classes: [.space])
        case "w": ScalarSet(classes: [.word])
        case "D": ScalarSet(complements: [.digit])
        case "S": ScalarSet(complements: [.space])
        case "W": ScalarSet(complements: [.word])
        default: nil
        }
    }

    /// The character that a letter behind a backslash stands for.
    private mutating func escapedScalar(_ scalar: Unicode.Scalar) throws(RowError) -> Unicode.Scalar {
        switch scalar {
        case "a": return "\u{7}"
        case "b": return "\u{8}"
        case "B": return "\\"
        case "e": return "\u{1B}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "0": return "\0"
        case "c":
            guard let control = rest.popFirst() else { throw Self.fault("invalid escape \\ sequence") }
            return Unicode.Scalar(control.value & 0x1F) ?? "\0"
        case "u": return try hexadecimal(digits: 4)
        case "U": return try hexadecimal(digits: 8)
        case "x": return try hexadecimal(digits: nil)
        default:
            guard !scalar.properties.isAlphabetic, scalar.properties.numericType == nil else {
                throw Self.fault("invalid escape \\ sequence")
            }
            return scalar
        }
    }

    /// - Parameter digits: `nil` for any number, of which the last eight count.
    private mutating func hexadecimal(digits: Int?) throws(RowError) -> Unicode.Scalar {
        var value: UInt32 = 0
        var count = 0
        while let scalar = rest.first, count < digits ?? .max, let digit = Character(scalar).hexDigitValue,
            scalar.isASCII
        {
            rest.removeFirst()
            value = value << 4 | UInt32(digit)
            count += 1
        }
        guard count > 0, count == digits ?? count, let scalar = Unicode.Scalar(value) else {
            throw Self.fault("invalid escape \\ sequence")
        }
        return scalar
    }
}

/// Sets in brackets.
extension RegularExpressionParser {
    private mutating func bracket() throws(RowError) -> RegularExpression.Node {
        if take("[:<:]]") { return .assertion(.wordStart) }
        if take("[:>:]]") { return .assertion(.wordEnd) }
        var set = ScalarSet(isInverted: take("^"), ignoresCase: ignoresCase)
        var isFirst = true
        while isFirst || rest.first != "]" {
            isFirst = false
            guard let scalar = rest.popFirst() else { throw Self.fault("brackets [] not balanced") }
            if scalar == "[", rest.first == ":" {
                set.classes.append(try namedClass())
            } else if scalar == "\\", let next = rest.first, let named = Self.namedClass(next) {
                rest.removeFirst()
                set.classes += named.classes
                set.complements += named.complements
            } else {
                let first = try bound(scalar)
                set.ranges.append(first...(try rangeEnd(behind: first)))
            }
        }
        rest.removeFirst()
        return .set(set)
    }

    private mutating func namedClass() throws(RowError) -> ScalarSet.Class {
        rest.removeFirst()
        let name = String(rest.prefix { $0 != ":" })
        rest.removeFirst(name.unicodeScalars.count)
        guard take(":]") else { throw Self.fault("brackets [] not balanced") }
        guard let named = ScalarSet.Class(rawValue: name) else { throw Self.fault("invalid character class") }
        return named
    }

    /// A single character in brackets.
    private mutating func bound(_ scalar: Unicode.Scalar) throws(RowError) -> Unicode.Scalar {
        if scalar == "[", let next = rest.first, next == "." || next == "=" {
            throw .notBuilt("Collating elements in regular expressions are not built.")
        }
        guard scalar == "\\" else { return scalar }
        guard let escaped = rest.popFirst() else { throw Self.fault("brackets [] not balanced") }
        return try escapedScalar(escaped)
    }

    /// The end of a range, or its start where there is none.
    private mutating func rangeEnd(behind first: Unicode.Scalar) throws(RowError) -> Unicode.Scalar {
        guard rest.first == "-", let second = rest.dropFirst().first, second != "]" else { return first }
        rest.removeFirst(2)
        let last = try bound(second)
        guard last >= first else { throw Self.fault("invalid character range") }
        return last
    }
}
