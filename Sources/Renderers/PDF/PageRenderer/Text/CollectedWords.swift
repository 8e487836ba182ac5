internal import CPopplerCore
internal import Media

/// The words of a page as Poppler passes them on, put into logical order line by line.
struct CollectedWords {
    /// The words of all complete lines.
    private(set) var words: [PageText.Word] = []
    /// Whether a word was cut or left out for the bounds of `PageText`.
    private(set) var isCut = false
    private var line: [PageText.Word] = []
    /// Whether a character of the line may be of a script that runs from right to left.
    private var lineMayRunLeft = false

    /// Takes a word; with the last one of a line the whole line becomes words.
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
    /// A word as Poppler passes it on, whether a character of it may be of a script that runs from right to left, and whether it has not
    /// been cut.
    fileprivate static func reading(
        _ word: poppler_core_word
    ) -> (word: PageText.Word, mayRunLeft: Bool, isWhole: Bool) {
        // Sound: Poppler's word has so many characters as long as the call lasts.
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

    /// Neither white space nor a control character; the host looks at every character again.
    private static func isKept(_ character: UInt32) -> Bool { character > 0x20 && character != 0x7F }

    /// The first letter of Hebrew's block: no script before it runs from right to left.
    private static let firstOfRightToLeft: UInt32 = 0x590
}
