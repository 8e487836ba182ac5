/// The uncompressed objects of a damaged file that a page tree needs, found by their keywords `12 0 obj`.
///
/// Such words inside a stream may be mistaken for an object, as in Poppler's search.
struct ObjectSearch {
    /// The last document catalogue: the newest one of an incrementally updated file; `tree` is the number of its
    /// `/Pages`.
    private(set) var catalogue: (number: Int, tree: Int?)?
    /// The object numbers of dictionaries of the type `/Pages`.
    private(set) var trees: Set<Int> = []
    /// The numbers of the pages in the file's order, each once.
    private(set) var pages: [Int] = []
    /// The largest object number; an update numbers its own objects above it.
    private(set) var largestNumber = 0
    /// The index of the last cross-reference stream's object.
    private(set) var crossReferenceStream: Int?
    /// The object streams in the file's order; `start` is the index of the dictionary.
    private(set) var objectStreams: [(number: Int, start: Int)] = []
    /// The index of the last object with each number.
    private(set) var starts: [Int: Int] = [:]
    /// Whether some object describes the file's encryption.
    private(set) var isEncrypted = false

    private var knownPages: Set<Int> = []

    /// Bounds on the cost of a hostile file: the bytes read per object, and the pages kept.
    private static let maximumDictionaryLength = 16 << 10
    private static let maximumPageCount = 100_000
    /// The keywords that end an object; so does the next object (`isEnd`).
    private static let ends: Set<String> = ["stream", "endobj"]
    /// ISO 32000-1, annex C, allows 8,388,607 objects; a new page tree and catalogue get the numbers that follow.
    private static let numbers = 1..<8_388_000

    /// Finds the objects in a file.
    mutating func read(_ file: borrowing RawSpan) {
        var index = 3
        let count = file.byteCount
        while index + 3 <= count {
            if Self.isKeyword(file, at: index), let (number, start) = Self.number(of: file, before: index) {
                let words = Self.words(of: file, from: index + 3)
                add(number, words)
                starts[number] = start
                if words.contains("/XRef") { crossReferenceStream = start }
                if words.contains("/ObjStm") { objectStreams.append((number, index + 3)) }
                index += 3
            } else {
                index += 1
            }
        }
    }

    /// Adds an object of an object stream.
    mutating func add(_ number: Int, compressed value: PDFObject) {
        guard Self.numbers.contains(number) else { return }
        add(number, Self.words(of: Array(value.bytes).span.bytes, from: 0))
    }

    private mutating func add(_ number: Int, _ words: [String]) {
        largestNumber = max(largestNumber, number)
        func value(of key: String) -> String? {
            guard let index = words.firstIndex(of: key), index + 1 < words.count else { return nil }
            return words[index + 1]
        }
        if value(of: "/Filter") == "/Standard" || words.contains("/Encrypt") { isEncrypted = true }
        switch value(of: "/Type") {
        case "/Catalog": catalogue = (number, value(of: "/Pages").flatMap { Int($0) })
        case "/Pages": trees.insert(number)
        case "/Page" where pages.count < Self.maximumPageCount && knownPages.insert(number).inserted:
            pages.append(number)
        default: break
        }
    }

    private static func isKeyword(_ file: borrowing RawSpan, at index: Int) -> Bool {
        byte(of: file, index) == UInt8(ascii: "o") && byte(of: file, index + 1) == UInt8(ascii: "b")
            && byte(of: file, index + 2) == UInt8(ascii: "j")
    }

    /// The object number of `12 0 obj` and the index of its first digit; `index` is the keyword's index.
    private static func number(of file: borrowing RawSpan, before index: Int) -> (number: Int, start: Int)? {
        var index = index
        guard digits(of: file, before: &index, atMost: 5) != nil else { return nil }
        guard let number = digits(of: file, before: &index, atMost: 7), numbers.contains(number) else { return nil }
        return (number, index)
    }

    /// Steps back over white space and the digits before it.
    private static func digits(of file: borrowing RawSpan, before index: inout Int, atMost limit: Int) -> Int? {
        let end = index
        while index > 0, byte(of: file, index - 1).isWhiteSpace, end - index < 8 { index -= 1 }
        guard index < end else { return nil }
        var (value, scale, count) = (0, 1, 0)
        while index > 0, count < limit, let digit = byte(of: file, index - 1).digit {
            (value, scale, count, index) = (value + digit * scale, scale * 10, count + 1, index - 1)
        }
        return count > 0 ? value : nil
    }

    /// The names, numbers and keywords of an object, up to its stream or end.
    private static func words(of file: borrowing RawSpan, from start: Int) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for index in start..<min(file.byteCount, start + maximumDictionaryLength) {
            let byte = byte(of: file, index)
            if byte.isRegular {
                word.append(byte)
                continue
            }
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            if let last = words.last, isEnd(last) { break }
            word = byte == UInt8(ascii: "/") ? [byte] : []
        }
        return words
    }

    /// Whether a word ends an object. Every word that `isKeyword` accepts does, even `objx`, so no byte is read for
    /// more than two objects.
    private static func isEnd(_ word: String) -> Bool { ends.contains(word) || word.hasPrefix("obj") }

    /// - Precondition: `index` is less than the file's byte count; each caller has checked this.
    private static func byte(of file: borrowing RawSpan, _ index: Int) -> UInt8 {
        file.unsafeLoadUnaligned(fromByteOffset: index, as: UInt8.self)
    }
}
