internal import CPopplerCore
internal import Media

/// The words of a page as Poppler passes them on, reordered line by line into logical order.
struct CollectedWords {
    /// The words of all complete lines.
    private(set) var words: [PageText.Word] = []
    /// Whether a word was cut or left out because of the limits of `PageText`.
    private(set) var isCut = false
    private var line: [PageText.Word] = []
    /// Whether a character of the line may be of a script that runs from right to left.
    private var lineMayRunLeft = false

    /// Takes a word; the last word of a line completes the line and adds its words.
    mutating func add(_ word: poppler_core_word) {
        let (read, mayRunLeft, isWhole) = PageText.Word.reading(word)
        if !isWhole { isCut = true }
        if mayRunLeft { lineMayRunLeft = true }
        line.append(read)
        guard read.ending.endsLine else { return }
        if lineMayRunLeft { line = VisualWord.inLogicalOrder(line) }
        for word in line where !word.text.isEmpty {
            if words.count == PageText.mostWords {
                isCut = true
                break
            }
            words.append(word)
        }
        line.removeAll(keepingCapacity: true)
        lineMayRunLeft = false
    }
}

extension PageText.Word {
    /// A word as Poppler passes it on, whether one of its characters may be of a script that runs from right to left,
    /// and whether it is uncut.
    fileprivate static func reading(
        _ word: poppler_core_word
    ) -> (word: PageText.Word, mayRunLeft: Bool, isWhole: Bool) {
        // Safe: Poppler's word has this number of characters for the duration of the call.
        let characters = UnsafeBufferPointer(start: word.characters, count: Int(word.count))
        var (count, mayRunLeft) = (0, false)
        let isWhole = characters.count <= PageText.longestWord
        let text = String(unsafeUninitializedCapacity: 4 * min(characters.count, PageText.longestWord)) { bytes in
            for character in characters.prefix(PageText.longestWord) {
                guard isKept(character), let scalar = Unicode.Scalar(character) else { continue }
                if character >= Self.firstOfRightToLeft { mayRunLeft = true }
                for byte in UTF8.encode(scalar)! {
                    bytes[count] = byte
                    count += 1
                }
            }
            return count
        }
        let place = PageText.Rectangle(
            left: word.left, top: word.top, width: word.right - word.left, height: word.bottom - word.top)
        let ending = PageText.Ending(rawValue: UInt8(word.ending.rawValue)) ?? .space
        return (
            PageText.Word(text, at: place, ending: ending, rotation: Int(word.rotation) & 3), mayRunLeft, isWhole
        )
    }

    /// Neither white space nor a control character; the host checks every character again.
    private static func isKept(_ character: UInt32) -> Bool { character > 0x20 && character != 0x7F }

    /// The first letter of the Hebrew block: no script before it runs from right to left.
    private static let firstOfRightToLeft: UInt32 = 0x590
}
