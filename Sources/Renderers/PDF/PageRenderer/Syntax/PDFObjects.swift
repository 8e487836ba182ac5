internal import Formats
internal import Media
internal import Rendering

/// A sound file's objects, found by its cross-reference tables (ISO 32000-1, 7.5.4 and 7.5.8).
///
/// It reads what it is asked for and no more: some kilobytes of a file of any size. What it does not understand – a damaged
/// table, an encrypted object stream – is `nil`, and whoever asks does without.
struct PDFObjects {
    /// The entries of the last trailer: what `/Root` and `/Size` are.
    let trailer: PDFDictionary
    /// Where the last table begins, as the file says it.
    let tablePlace: Int64
    /// What lies before the header, which all places in the file are reckoned from.
    let headerPlace: Int64

    private let source: Source
    private let sections: [PDFSection]
    private var unpacked: (number: Int, stream: PDFObjectStream)?
    /// Object streams in which an object lies at another index than the table says, with the numbers of their objects in the
    /// stream's order. Poppler goes by the index, other viewers by the number.
    private(set) var misplaced: [Int: [Int]] = [:]

    /// `nil` where the file has no tables, or others than are known here.
    init?(_ source: Source) throws(Failure) {
        let head = try source.bytes(at: 0, count: 1024)
        guard let header = head.firstIndex(of: Array("%PDF-".utf8)) else { return nil }
        // Acrobat's rule, and Poppler's: the word lies in the last 1,024 bytes (ISO 32000-1, annex H, note 18).
        let tail = try source.bytes(at: max(0, source.byteCount - 1024), count: 1024)
        guard let word = tail.lastIndex(of: Array("startxref".utf8)) else { return nil }
        var scanner = PDFScanner(tail[(word + 9)...])
        guard let place = scanner.value()?.integer else { return nil }
        headerPlace = Int64(header)
        tablePlace = Int64(place)
        self.source = source
        var sections: [PDFSection] = []
        var trailer: PDFDictionary?
        var places: [Int64?] = [tablePlace]
        var known: Set<Int64> = []
        while let place = places.popLast() {
            guard let place, known.insert(place).inserted else { continue }
            guard known.count <= Self.mostSections,
                let section = try PDFSection(source, at: place &+ headerPlace)
            else { return nil }
            sections.append(section)
            if trailer == nil { trailer = section.trailer }
            // The older table last: the newer part's own stream goes before it.
            places.append(section.trailer["/Prev"]?.integer.map(Int64.init))
            places.append(section.trailer["/XRefStm"]?.integer.map(Int64.init))
        }
        guard let trailer else { return nil }
        self.sections = sections
        self.trailer = trailer
    }

    private static let mostSections = 256
    /// Most are small; writers that pack all objects of a document into one stream make some of a megabyte.
    private static let longestObjectStream = 8 << 20

    /// An object by its number; `nil` where there is none, or none that can be read here.
    mutating func object(_ number: Int) throws(Failure) -> PDFPiece? {
        for section in sections {
            switch try section.place(of: number, in: source) {
            case .at(let place): return try PDFObject(source, at: place &+ headerPlace, number: number)?.value
            case .packed(let stream, let index): return try packed(number, in: stream, at: index)
            case .free: return nil
            case nil: continue
            }
        }
        return nil
    }

    /// What a value stands for: the object that it refers to, or itself.
    mutating func resolved(_ piece: PDFPiece?) throws(Failure) -> PDFPiece? {
        guard let number = piece?.reference else { return piece }
        return try object(number)
    }

    /// A stream's entries, and where its data lie; `nil` for what is no stream, or not a sound one.
    func stream(_ number: Int) throws(Failure) -> (entries: PDFDictionary, data: Range<Int64>)? {
        guard let object = try open(number), let entries = object.value.dictionary,
            let data = try object.dataRange(in: source, byteCount: try resolvedLength(entries))
        else { return nil }
        return (entries, data)
    }

    /// A stream's data, unpacked; `nil` where that is not known here, or too long.
    ///
    /// - Parameter longest: about so much is unpacked, no more.
    func content(_ number: Int, atMost longest: Int = PDFStream.longest) throws(Failure) -> [UInt8]? {
        guard let object = try open(number), let entries = object.value.dictionary else { return nil }
        return try object.data(of: source, byteCount: try resolvedLength(entries), atMost: longest)
    }

    private mutating func packed(_ number: Int, in streamNumber: Int, at index: Int) throws(Failure) -> PDFPiece? {
        if unpacked?.number != streamNumber {
            guard let stream = try objectStream(streamNumber) else { return nil }
            unpacked = (streamNumber, stream)
        }
        guard let found = unpacked?.stream.index(of: number, expectedAt: index) else { return nil }
        if found != index, misplaced[streamNumber] == nil { misplaced[streamNumber] = unpacked?.stream.numbers }
        return unpacked?.stream[found]
    }

    /// The object stream that the tables say an object lies in; `nil` for one that lies open in the file, or nowhere.
    func objectStream(of number: Int) throws(Failure) -> Int? {
        for section in sections {
            guard let place = try section.place(of: number, in: source) else { continue }
            guard case .packed(let stream, _) = place else { return nil }
            return stream
        }
        return nil
    }

    /// An encrypted one is noise here, which no inflater takes.
    private func objectStream(_ number: Int) throws(Failure) -> PDFObjectStream? {
        guard let object = try open(number), let entries = object.value.dictionary,
            // The length may be an object of its own, which lies in no stream.
            let data = try object.data(
                of: source, byteCount: try resolvedLength(entries), packedAtMost: Self.longestObjectStream)
        else { return nil }
        return PDFObjectStream(data, entries)
    }

    /// An object that lies open in the file, as streams do.
    private func open(_ number: Int) throws(Failure) -> PDFObject? {
        for section in sections {
            guard let place = try section.place(of: number, in: source) else { continue }
            guard case .at(let place) = place else { return nil }
            return try PDFObject(source, at: place &+ headerPlace, number: number)
        }
        return nil
    }

    private func resolvedLength(_ entries: PDFDictionary) throws(Failure) -> Int? {
        guard let number = entries["/Length"]?.reference else { return entries["/Length"]?.integer }
        return try open(number)?.value.integer
    }
}

extension [UInt8] {
    /// The first place of a word.
    fileprivate func firstIndex(of word: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: word) }
    }

    /// The last place of a word.
    fileprivate func lastIndex(of word: [UInt8]) -> Int? {
        indices.last { self[$0...].starts(with: word) }
    }
}
