internal import Media

/// A word in the visual order of its line: from left to right in any script.
struct VisualWord {
    /// The word with its text from left to right, and the ending that follows to the right.
    private let word: PageText.Word

    /// The words of one line, given from left to right, in reading order. This is a simple form of the Unicode
    /// Bidirectional Algorithm (UAX #9), in reverse and word by word, with one level of embedding.
    static func inLogicalOrder(_ words: [PageText.Word]) -> [PageText.Word] {
        let line = words.map(VisualWord.init)
        let directions = line.map(\.direction)
        guard directions.contains(.rightToLeft) else { return words }
        let count = (
            rightToLeft: directions.count { $0 == .rightToLeft }, leftToRight: directions.count { $0 == .leftToRight }
        )
        let isRightToLeft = count.rightToLeft > count.leftToRight
        var order = Array(line.indices)
        reverseRuns(of: isRightToLeft ? .leftToRight : .rightToLeft, in: &order, directions)
        if isRightToLeft { order.reverse() }
        return order.enumerated().map { index, position in
            var word = words[position]
            if directions[position] == .rightToLeft { word.text = line[position].logicalText }
            word.ending = ending(after: index, in: order, words)
            return word
        }
    }

    /// The direction in which a word is read.
    private enum Direction {
        case leftToRight, rightToLeft
        /// Digits, which are read from left to right and belong to either text.
        case number
        case neutral
    }

    private var direction: Direction {
        let scalars = word.text.unicodeScalars
        if scalars.contains(where: \.isRightToLeft) { return .rightToLeft }
        if scalars.contains(where: \.properties.isAlphabetic) { return .leftToRight }
        return scalars.contains { $0.properties.numericType != nil } ? .number : .neutral
    }

    /// Reverses each run of words against the direction of their line, including the neutral words inside it.
    ///
    /// In a line from right to left, numbers are such runs too.
    private static func reverseRuns(of direction: Direction, in order: inout [Int], _ directions: [Direction]) {
        func belongs(_ index: Int) -> Bool {
            directions[index] == direction || (direction == .leftToRight && directions[index] == .number)
        }
        func mayLieInside(_ index: Int) -> Bool {
            directions[index] == .neutral || (direction == .rightToLeft && directions[index] == .number)
        }
        var index = 0
        while index < order.count {
            guard belongs(index) else {
                index += 1
                continue
            }
            var end = index + 1
            var next = end
            while next < order.count, belongs(next) || mayLieInside(next) {
                if belongs(next) { end = next + 1 }
                next += 1
            }
            order[index..<end].reverse()
            index = end
        }
    }

    /// The ending of a word in reading order: of two words that are neighbours on the page, the left word has it.
    private static func ending(after index: Int, in order: [Int], _ line: [PageText.Word]) -> PageText.Ending {
        guard index + 1 < order.count else { return line[line.count - 1].ending }
        let (position, next) = (order[index], order[index + 1])
        return abs(position - next) == 1 ? line[min(position, next)].ending : .space
    }

    /// The text of a right-to-left word in reading order: numbers and foreign letters inside it keep their order, and
    /// marks follow their letters.
    private var logicalText: String {
        let scalars = Array(word.text.unicodeScalars)
        func runsLeftToRight(_ scalar: Unicode.Scalar) -> Bool {
            !scalar.isRightToLeft && (scalar.properties.numericType != nil || scalar.properties.isAlphabetic)
        }
        func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .nonspacingMark }
        var logical = String.UnicodeScalarView()
        var index = scalars.count
        while index > 0 {
            var start = index - 1
            if runsLeftToRight(scalars[start]) {
                while start > 0, runsLeftToRight(scalars[start - 1]) { start -= 1 }
            } else {
                // Poppler keeps a letter and its marks together, the letter first.
                while start > 0, isMark(scalars[start]) { start -= 1 }
            }
            logical.append(contentsOf: scalars[start..<index])
            index = start
        }
        return String(logical)
    }
}
