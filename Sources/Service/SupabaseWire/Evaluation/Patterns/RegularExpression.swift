/// A regular expression of PostgreSQL's advanced kind, as far as it can be matched in linear time: without references back
/// and looks ahead.
///
/// All ways through the expression are followed at once (K. Thompson, "Regular Expression Search Algorithm", 1968), so
/// no text makes it slow.
struct RegularExpression: Hashable, Sendable {
    /// One step of the compiled expression.
    enum Instruction: Hashable, Sendable {
        case scalar(ScalarSet)
        case assertion(Assertion)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
        case found
    }

    /// What must be true of a place between two scalars.
    enum Assertion: Hashable, Sendable {
        case start, end, wordStart, wordEnd, wordEdge, noWordEdge
    }

    private let program: [Instruction]

    /// - Throws: `2201B` for text that is no expression; `PGRST127` for what is not built.
    init(_ text: String, ignoresCase: Bool) throws(RowError) {
        var parser = RegularExpressionParser(text, ignoresCase: ignoresCase)
        var compiler = Compiler()
        try compiler.add(try parser.expression())
        program = compiler.program + [.found]
    }

    /// Whether a part of the text matches.
    func matches(_ text: String, effort: inout Effort) throws(RowError) -> Bool {
        var run = Run(program: program, scalars: Array(text.unicodeScalars))
        return try run.finds(effort: &effort)
    }

    private struct Run {
        let program: [Instruction]
        let scalars: [Unicode.Scalar]
        /// The instructions that the next scalar is shown to.
        private var waiting: [Int] = []
        /// For each instruction the last place at which it was reached, so that it is followed once.
        private var reached: [Int]
        private var pending: [Int] = []

        init(program: [Instruction], scalars: [Unicode.Scalar]) {
            self.program = program
            self.scalars = scalars
            reached = Array(repeating: -1, count: program.count)
        }

        mutating func finds(effort: inout Effort) throws(RowError) -> Bool {
            for place in 0...scalars.count {
                // A match may start anywhere.
                if follow(0, at: place) { return true }
                try effort.spend(waiting.count + 1)
                guard place < scalars.count else { break }
                let taking = waiting
                waiting.removeAll(keepingCapacity: true)
                for index in taking {
                    guard case .scalar(let set) = program[index], set.contains(scalars[place]) else { continue }
                    if follow(index + 1, at: place + 1) { return true }
                }
            }
            return false
        }

        /// Adds to `waiting` the instructions that can be reached without taking a scalar.
        ///
        /// - Returns: whether the end of the expression can.
        private mutating func follow(_ start: Int, at place: Int) -> Bool {
            pending.append(start)
            while let index = pending.popLast() {
                if reached[index] == place { continue }
                reached[index] = place
                switch program[index] {
                case .scalar: waiting.append(index)
                case .assertion(let assertion): if holds(assertion, at: place) { pending.append(index + 1) }
                case .split(let first, let second):
                    pending.append(second)
                    pending.append(first)
                case .jump(let target): pending.append(target)
                case .found:
                    pending.removeAll()
                    return true
                }
            }
            return false
        }

        private func holds(_ assertion: Assertion, at place: Int) -> Bool {
            let before = place > 0 && ScalarSet.isWord(scalars[place - 1])
            let behind = place < scalars.count && ScalarSet.isWord(scalars[place])
            return switch assertion {
            case .start: place == 0
            case .end: place == scalars.count
            case .wordStart: !before && behind
            case .wordEnd: before && !behind
            case .wordEdge: before != behind
            case .noWordEdge: before == behind
            }
        }
    }
}

extension RegularExpression {
    /// An expression as a tree.
    indirect enum Node {
        case empty
        case set(ScalarSet)
        case assertion(Assertion)
        case sequence([Node])
        case choice([Node])
        /// - Parameter most: `nil` for any number.
        case repetition(Node, least: Int, most: Int?)
    }

    private struct Compiler {
        /// More instructions would take too long for each scalar.
        private static let mostInstructions = 4000

        /// Repetitions of nothing add no instructions, but take time as well.
        private static let mostSteps = 100_000

        var program: [Instruction] = []
        private var steps = 0

        mutating func add(_ node: Node) throws(RowError) {
            steps += 1
            guard program.count < Self.mostInstructions, steps < Self.mostSteps else {
                throw RegularExpressionParser.fault("regular expression is too complex")
            }
            switch node {
            case .empty: break
            case .set(let set): program.append(.scalar(set))
            case .assertion(let assertion): program.append(.assertion(assertion))
            case .sequence(let nodes): for node in nodes { try add(node) }
            case .choice(let nodes): try add(choice: nodes[...])
            case .repetition(let node, let least, let most): try add(node, least: least, most: most)
            }
        }

        private mutating func add(choice nodes: ArraySlice<Node>) throws(RowError) {
            var jumps: [Int] = []
            for node in nodes.dropLast() {
                let split = program.count
                program.append(.split(split + 1, 0))
                try add(node)
                jumps.append(program.count)
                program.append(.jump(0))
                program[split] = .split(split + 1, program.count)
            }
            if let last = nodes.last { try add(last) }
            for jump in jumps { program[jump] = .jump(program.count) }
        }

        private mutating func add(_ node: Node, least: Int, most: Int?) throws(RowError) {
            for _ in 0..<least { try add(node) }
            guard let most else {
                let split = program.count
                program.append(.split(split + 1, 0))
                try add(node)
                program.append(.jump(split))
                program[split] = .split(split + 1, program.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(program.count)
                program.append(.split(program.count + 1, 0))
                try add(node)
            }
            for split in splits { program[split] = .split(split + 1, program.count) }
        }
    }
}
