/// The objects of a PDF that lie open in its bytes, found by their words `12 0 obj`: what a page tree is made of.
///
/// A word inside a stream may be taken for an object; Poppler's own search has no better eyes.
struct PDFObjectScan {
    /// The last catalogue, as the latest of an incrementally saved file counts.
    private(set) var catalogue: (number: Int, tree: Int?)?
    private(set) var trees: Set<Int> = []
    /// The pages in the file's order, each once.
    private(set) var pages: [Int] = []
    private(set) var largestNumber = 0
    /// Where the object of the last cross-reference stream begins.
    private(set) var tablePlace: Int?
    /// The streams that hold other objects, in the file's order; `place` is where the dictionary begins.
    private(set) var objectStreams: [(number: Int, place: Int)] = []
    /// Where each object lies last.
    private(set) var places: [Int: Int] = [:]
    /// Whether something in the file says how it is encrypted.
    private(set) var isEncrypted = false

    private var knownPages: Set<Int> = []
    /// How much of an object is looked at, and how many pages are kept: bounds on what a hostile file costs.
    private static let longestDictionary = 16 << 10
    private static let mostPages = 100_000
    /// What an object ends with; the beginning of the next one ends it too (`hasEnded`).
    private static let ends: Set<String> = ["stream", "endobj"]
    /// ISO 32000-1, annex C, speaks of 8,388,607 objects; a new page tree and its catalogue have to follow these.
    private static let numbers = 1..<8_388_000

    mutating func read(_ file: borrowing RawSpan) {
        var place = 3
        let count = file.byteCount
        while place + 3 <= count {
            if Self.isKeyword(file, at: place), let (number, start) = Self.number(of: file, before: place) {
                let words = Self.words(of: file, from: place + 3)
                add(number, words)
                places[number] = start
                if words.contains("/XRef") { tablePlace = start }
                if words.contains("/ObjStm") { objectStreams.append((number, place + 3)) }
                place += 3
            } else {
                place += 1
            }
        }
    }

    /// Adds an object that came out of a stream.
    mutating func add(_ number: Int, packed value: PDFPiece) {
        guard Self.numbers.contains(number) else { return }
        add(number, Self.words(of: Array(value.bytes).span.bytes, from: 0))
    }

    private mutating func add(_ number: Int, _ words: [String]) {
        largestNumber = max(largestNumber, number)
        func value(of key: String) -> String? {
            guard let place = words.firstIndex(of: key), place + 1 < words.count else { return nil }
            return words[place + 1]
        }
        if value(of: "/Filter") == "/Standard" || words.contains("/Encrypt") { isEncrypted = true }
        switch value(of: "/Type") {
        case "/Catalog": catalogue = (number, value(of: "/Pages").flatMap { Int($0) })
        case "/Pages": trees.insert(number)
        case "/Page" where pages.count < Self.mostPages && knownPages.insert(number).inserted: pages.append(number)
        default: break
        }
    }

    private static func isKeyword(_ file: borrowing RawSpan, at place: Int) -> Bool {
        byte(of: file, place) == UInt8(ascii: "o") && byte(of: file, place + 1) == UInt8(ascii: "b")
            && byte(of: file, place + 2) == UInt8(ascii: "j")
    }

    /// The object number in `12 0 obj`, with the keyword at `place`, and where it begins.
    private static func number(of file: borrowing RawSpan, before place: Int) -> (number: Int, start: Int)? {
        var place = place
        guard digits(of: file, before: &place, atMost: 5) != nil else { return nil }
        guard let number = digits(of: file, before: &place, atMost: 7), numbers.contains(number) else { return nil }
        return (number, place)
    }

    /// Steps back over white space and the digits before it.
    private static func digits(of file: borrowing RawSpan, before place: inout Int, atMost limit: Int) -> Int? {
        let end = place
        while place > 0, byte(of: file, place - 1).isWhiteSpace, end - place < 8 { place -= 1 }
        guard place < end else { return nil }
        var (value, scale, count) = (0, 1, 0)
        while place > 0, count < limit, let digit = byte(of: file, place - 1).digit {
            (value, scale, count, place) = (value + digit * scale, scale * 10, count + 1, place - 1)
        }
        return count > 0 ? value : nil
    }

    /// The names, numbers and keywords of an object up to its stream or end.
    private static func words(of file: borrowing RawSpan, from start: Int) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for place in start..<min(file.byteCount, start + longestDictionary) {
            let byte = byte(of: file, place)
            if byte.isRegular {
                word.append(byte)
                continue
            }
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            if let last = words.last, hasEnded(with: last) { break }
            word = byte == UInt8(ascii: "/") ? [byte] : []
        }
        return words
    }

    /// Whatever `isKeyword` takes for an object's beginning counts, `objx` too: no byte is read for more than two objects.
    private static func hasEnded(with word: String) -> Bool { ends.contains(word) || word.hasPrefix("obj") }

    private static func byte(of file: borrowing RawSpan, _ place: Int) -> UInt8 {
        file.unsafeLoadUnaligned(fromByteOffset: place, as: UInt8.self)
    }
}
