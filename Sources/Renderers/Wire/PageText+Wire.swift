public import Media

/// A page's text as the child writes it to the task's memory.
extension PageText: WireMessage {
    /// The text as one message, cut to the bounds of `PageText`.
    public var bytes: [UInt8] {
        var writer = WireWriter.versioned()
        writer.write(UInt32(pageIndex))
        writer.write(UInt32(pageCount))
        writer.write(width)
        writer.write(height)
        let kept = keptWords
        writer.write(isCut || kept.count < words.count)
        writer.write(isMostlyPicture)
        writer.write(UInt32(kept.count))
        for word in kept { writer.write(word) }
        return writer.bytes
    }

    /// Parses text from a process that decoded hostile bytes: counts are bounded; unprintable characters and words
    /// outside the page are omitted.
    public init(parsing bytes: [UInt8]) throws(WireError) {
        var reader = try WireReader(versioned: bytes)
        let pageIndex = Int(try reader.integer(UInt32.self))
        let pageCount = Int(try reader.integer(UInt32.self))
        let (width, height) = (try reader.double(), try reader.double())
        guard pageIndex < pageCount, pageCount <= Int32.max, Self.sides.contains(width), Self.sides.contains(height)
        else { throw reader.failure("page") }
        self.init(pageIndex: pageIndex, pageCount: pageCount, width: width, height: height, isCut: try reader.bool())
        isMostlyPicture = try reader.bool()
        let count = Int(try reader.integer(UInt32.self))
        guard count <= Self.mostWords else { throw reader.failure("count of words") }
        var byteCount = 0
        for _ in 0..<count {
            let word = try reader.word()
            byteCount += word.text.utf8.count
            guard byteCount <= Self.longestText else { throw reader.failure("length of words") }
            append(word)
        }
        try reader.finish()
    }
}

extension MediaType {
    /// The words of a page as a message of `PageText`, which the class `text` puts into reading order. No file has this
    /// type.
    public static let pageWords = MediaType(rawValue: "application/vnd.compass.page-words")
}

extension PageText {
    /// The accepted lengths of a page's sides, in points.
    private static let sides = 0.01...1e8

    /// The words within bounds.
    private var keptWords: ArraySlice<Word> {
        var byteCount = 0
        let end = words.prefix(Self.mostWords).firstIndex { word in
            byteCount += word.text.utf8.count
            return byteCount > Self.longestText
        }
        return words[..<(end ?? min(words.count, Self.mostWords))]
    }

    /// Appends a word clipped to the page; the ending of an omitted word passes to the word before it.
    private mutating func append(_ word: Word) {
        if let place = word.place.placed(onPageOfWidth: width, height: height), !word.text.isEmpty {
            words.append(Word(word.text, at: place, ending: word.ending, rotation: word.rotation))
        } else if let last = words.indices.last, words[last].ending.rawValue < word.ending.rawValue {
            words[last].ending = word.ending
        }
    }
}

extension WireWriter {
    fileprivate mutating func write(_ word: PageText.Word) {
        write(word.text)
        write(word.place.left)
        write(word.place.top)
        write(word.place.width)
        write(word.place.height)
        write(word.ending.rawValue)
        write(UInt8(word.rotation))
    }
}

extension WireReader {
    fileprivate mutating func word() throws(WireError) -> PageText.Word {
        let text = Self.printable(try text())
        let place = PageText.Rectangle(left: try double(), top: try double(), width: try double(), height: try double())
        guard place.width >= 0, place.height >= 0 else { throw failure("place of a word") }
        let ending = try choice(PageText.Ending.self)
        let rotation = Int(try integer(UInt8.self))
        guard rotation <= 3 else { throw failure("rotation") }
        return PageText.Word(text, at: place, ending: ending, rotation: rotation)
    }

    /// The text without unprintable characters and white space.
    private static func printable(_ text: String) -> String {
        func isKept(_ scalar: Unicode.Scalar) -> Bool {
            if scalar.value < 0x80 { return scalar.value > 0x20 && scalar.value != 0x7F }
            return Failure.isPrintable(scalar) && !scalar.properties.isWhitespace
        }
        let utf8 = text.utf8
        if utf8.count <= PageText.longestWord, utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return text }
        if text.unicodeScalars.count <= PageText.longestWord, text.unicodeScalars.allSatisfy(isKept) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.filter(isKept).prefix(PageText.longestWord)))
    }
}
