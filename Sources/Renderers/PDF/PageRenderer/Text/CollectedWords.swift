internal import CPopplerCore
internal import Media

/// The words of a page as Poppler passes them on, put into logical order line by line.
struct CollectedWords {
    /// The words of all complete lines.
    private(set) var words: [PageText.Word] = []
    /// Whether a word was cut or left out for the bounds of `PageText`.
    private(set) var isCut = false
    private var line: [VisualWord] = []

    /// Takes a word; with the last one of a line the whole line becomes words.
    mutating func add(_ word: poppler_core_word) {
        var visual = VisualWord(word)
        if visual.scalars.count > PageText.longestWord {
            visual.scalars.removeLast(visual.scalars.count - PageText.longestWord)
            isCut = true
        }
        line.append(visual)
        guard visual.ending.endsLine else { return }
        for word in VisualWord.inLogicalOrder(line) where !word.scalars.isEmpty {
            if words.count == PageText.mostWords {
                isCut = true
                break
            }
            words.append(
                PageText.Word(
                    String(String.UnicodeScalarView(word.scalars)), at: word.place, ending: word.ending,
                    rotation: word.rotation))
        }
        line.removeAll(keepingCapacity: true)
    }
}

extension VisualWord {
    fileprivate init(_ word: poppler_core_word) {
        let characters = UnsafeBufferPointer(start: word.characters, count: Int(word.count))
        self.init(
            scalars: characters.compactMap { character in
                Unicode.Scalar(character).flatMap { Self.isKept($0) ? $0 : nil }
            },
            place: PageText.Rectangle(
                left: word.left, top: word.top, width: word.right - word.left, height: word.bottom - word.top),
            ending: PageText.Ending(rawValue: UInt8(word.ending.rawValue)) ?? .space, rotation: Int(word.rotation) & 3)
    }

    /// Neither white space nor a control character; the host looks at every character again.
    private static func isKept(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0x20 && scalar.value != 0x7F }
}
