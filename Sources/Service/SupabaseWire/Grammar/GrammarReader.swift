/// Reads text of the rows' grammar from left to right.
///
/// An alternative may only be given up before it took anything, except inside `attempt`. What the given up alternatives
/// expected is kept until something is taken, so that a fault names them all. These are the rules of Parsec, the
/// parser library of PostgREST: the same text gives the same message.
struct GrammarReader {
    // Not typed: Swift 6.3's compiler crashes over closures in an array that throw a type.
    typealias Rule<Value> = (inout GrammarReader) throws -> Value

    /// Deeper nesting is refused: it could overflow the stack.
    private static let deepestNesting = 64

    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private var pending = GrammarFault(offset: 0)
    private var nesting = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    private var next: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

    /// The line and column of an offset, both from 1; a tabulator reaches to the next eighth column.
    func position(of offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for scalar in scalars.prefix(offset) {
            switch scalar {
            case "\n": (line, column) = (line + 1, 1)
            case "\t": column += 8 - (column - 1) % 8
            default: column += 1
            }
        }
        return (line, column)
    }
}

/// What takes scalars.
extension GrammarReader {
    /// Takes one scalar that is accepted.
    ///
    /// - Parameter expecting: the words for what is accepted.
    mutating func scalar(
        expecting: [String] = [], _ accepts: (Unicode.Scalar) -> Bool
    ) throws -> Unicode.Scalar {
        guard let scalar = next, accepts(scalar) else { throw fault(expecting: expecting) }
        offset += 1
        pending = GrammarFault(offset: offset)
        return scalar
    }

    /// Takes this one scalar.
    mutating func character(_ expected: Unicode.Scalar) throws {
        _ = try scalar(expecting: [HaskellText.quoted(expected)]) { $0 == expected }
    }

    /// Takes this text; a part of it counts as taken when the rest is missing.
    mutating func string(_ expected: String) throws {
        let start = offset
        for scalar in expected.unicodeScalars {
            guard next == scalar else {
                var fault = GrammarFault(offset: start)
                fault.foundInput = [next.map(HaskellText.quoted) ?? ""]
                fault.expected = ["\"" + expected + "\""]
                throw offset == start ? pending.merged(with: fault) : fault
            }
            offset += 1
        }
        pending = GrammarFault(offset: offset)
    }

    /// Takes all that is accepted from here on, perhaps nothing.
    mutating func run(expecting: [String] = [], of accepts: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, accepts(scalar) {
            text.append(scalar)
            offset += 1
            pending = GrammarFault(offset: offset)
        }
        pending = fault(expecting: expecting)
        return String(text)
    }

    /// Takes nothing, and fails unless the input is at its end.
    mutating func end() throws {
        var fault = GrammarFault(offset: offset)
        fault.expected = ["end of input"]
        guard let scalar = next else {
            fault.foundInput = [""]
            pending = pending.merged(with: fault)
            return
        }
        fault.found = [HaskellText.quotedCharacter(scalar)]
        throw pending.merged(with: fault)
    }

    /// Takes nothing, and fails if the next scalar is one that is not accepted.
    mutating func notFollowed(by excludes: (Unicode.Scalar) -> Bool) throws {
        if let scalar = next, excludes(scalar) {
            throw GrammarFault(offset: offset + 1, found: [HaskellText.quotedCharacter(scalar)])
        }
        pending = fault(expecting: [])
    }

    /// Fails without a word.
    func refuse() throws -> Never {
        throw pending.merged(with: GrammarFault(offset: offset))
    }

    private func fault(expecting: [String]) -> GrammarFault {
        let found = next.map(HaskellText.quoted) ?? ""
        return pending.merged(with: GrammarFault(offset: offset, foundInput: [found], expected: expecting))
    }
}

/// What joins rules.
extension GrammarReader {
    /// The first rule's value; the second's where the first failed before it took anything.
    mutating func either<Value>(_ first: Rule<Value>, or second: Rule<Value>) throws -> Value {
        let start = offset
        do {
            return try first(&self)
        } catch let fault as GrammarFault {
            guard offset == start else { throw fault }
            pending = fault
            return try second(&self)
        }
    }

    /// The value of the first rule that does not fail before it takes anything.
    mutating func first<Value>(of rules: [Rule<Value>]) throws -> Value {
        let start = offset
        for rule in rules {
            do {
                return try rule(&self)
            } catch let fault as GrammarFault {
                guard offset == start else { throw fault }
                pending = fault
            }
        }
        throw pending
    }

    /// The rule's value, or `nil` where it failed before it took anything.
    mutating func optional<Value>(_ rule: Rule<Value>) throws -> Value? {
        let start = offset
        do {
            return try rule(&self)
        } catch let fault as GrammarFault {
            guard offset == start else { throw fault }
            pending = fault
            return nil
        }
    }

    /// The rule's value; where it fails, nothing was taken.
    mutating func attempt<Value>(_ rule: Rule<Value>) throws -> Value {
        let (start, kept) = (offset, pending)
        do {
            return try rule(&self)
        } catch let fault as GrammarFault {
            offset = start
            throw kept.merged(with: fault)
        }
    }

    /// Fails where the rule fails, and takes nothing.
    mutating func ahead<Value>(_ rule: Rule<Value>) throws {
        let (start, kept) = (offset, pending)
        _ = try rule(&self)
        (offset, pending) = (start, kept)
    }

    /// The rule under a name that a fault at its start tells instead of its parts.
    mutating func labelled<Value>(_ name: String, _ rule: Rule<Value>) throws -> Value {
        let (start, kept) = (offset, pending)
        pending = GrammarFault(offset: offset)
        do {
            let value = try rule(&self)
            if offset == start {
                if !pending.isUnknown { pending.expected = [name] }
                pending = kept.merged(with: pending)
            }
            return value
        } catch var fault as GrammarFault {
            guard offset == start else { throw fault }
            fault.expected = [name]
            throw kept.merged(with: fault)
        }
    }

    /// The values of the rule as often as it does not fail before it takes anything.
    mutating func many<Value>(_ rule: Rule<Value>) throws -> [Value] {
        var values: [Value] = []
        while let value = try optional(rule) {
            values.append(value)
            pending = GrammarFault(offset: offset)
        }
        return values
    }

    /// One value or more, with separators between them.
    mutating func list<Value>(
        of rule: Rule<Value>, separator: Rule<Void>
    ) throws -> [Value] {
        let first = try rule(&self)
        let rest = try many { reader in
            try separator(&reader)
            return try rule(&reader)
        }
        return [first] + rest
    }

    /// The rule between white space.
    mutating func spaced<Value>(_ rule: Rule<Value>) throws -> Value {
        _ = run { $0 == " " || $0 == "\t" }
        let value = try rule(&self)
        _ = run { $0 == " " || $0 == "\t" }
        return value
    }

    /// The rule one level further in; fails where that is too deep.
    mutating func nested<Value>(_ rule: Rule<Value>) throws -> Value {
        guard nesting < Self.deepestNesting else {
            throw GrammarFault(offset: offset, found: ["nesting of more than \(Self.deepestNesting) levels"])
        }
        nesting += 1
        defer { nesting -= 1 }
        return try rule(&self)
    }
}
