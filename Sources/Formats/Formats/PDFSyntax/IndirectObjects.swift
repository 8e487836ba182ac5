package import Media

/// The indirect objects of an undamaged file, found through its cross-reference sections (ISO 32000-1, 7.5.4 and
/// 7.5.8).
///
/// Objects are read on demand: some kilobytes of a file of any size. Objects that cannot be read, because a section is
/// damaged or an object stream is encrypted, are `nil`.
package struct IndirectObjects {
    /// The entries of the newest trailer, such as `/Root` and `/Size`.
    package let trailer: PDFDictionary
    /// The offset of the newest cross-reference section from the header, as `startxref` states it.
    let newestSectionOffset: Int64
    /// The offset of the header, from which all offsets in the file count.
    let headerOffset: Int64

    private let source: Source
    /// The sections from newest to oldest.
    private let sections: [CrossReferenceSection]
    /// The last decoded object stream.
    private var decodedStream: (number: Int, stream: ObjectStream)?
    /// The object streams in which an object's index differs from its cross-reference entry, with the numbers of their
    /// objects in the stream's order. Poppler finds objects by the index, other viewers by the number.
    private(set) var misindexedStreams: [Int: [Int]] = [:]

    /// A cache of small objects: consecutive pages share most of theirs.
    private var remembered: [Int: PDFObject] = [:]

    private static let maximumSectionCount = 256
    private static let mostRemembered = 256
    private static let longestRemembered = 4 << 10
    /// Most object streams are small; writers that put all objects of a document into one stream need a megabyte.
    private static let maximumObjectStreamLength = 8 << 20

    /// Finds the cross-reference sections; `nil` if one of them is missing, damaged or encrypted.
    package init?(_ source: Source) throws(Failure) {
        guard let headerOffset = try Self.headerOffset(in: source),
            let newestSectionOffset = try Self.newestSectionOffset(in: source),
            let sections = try Self.sections(of: source, from: newestSectionOffset, headerOffset),
            let trailer = sections.first?.trailer
        else { return nil }
        self.source = source
        self.headerOffset = headerOffset
        self.newestSectionOffset = newestSectionOffset
        self.sections = sections
        self.trailer = trailer
    }

    private static func headerOffset(in source: Source) throws(Failure) -> Int64? {
        let head = try source.bytes(at: 0, count: 1024)
        let word = Array("%PDF-".utf8)
        return head.indices.first { head[$0...].starts(with: word) }.map { Int64($0) }
    }

    private static func newestSectionOffset(in source: Source) throws(Failure) -> Int64? {
        // Acrobat and Poppler search for the keyword in the last 1,024 bytes (ISO 32000-1, annex H, note 18).
        let tail = try source.bytes(at: max(0, source.byteCount - 1024), count: 1024)
        let word = Array("startxref".utf8)
        guard let start = tail.indices.last(where: { tail[$0...].starts(with: word) }) else { return nil }
        var scanner = PDFScanner(tail[(start + word.count)...])
        return scanner.nextObject()?.integer.map { Int64($0) }
    }

    private static func sections(
        of source: Source, from newest: Int64, _ headerOffset: Int64
    ) throws(Failure) -> [CrossReferenceSection]? {
        var sections: [CrossReferenceSection] = []
        var offsets: [Int64?] = [newest]
        var known: Set<Int64> = []
        while let offset = offsets.popLast() {
            guard let offset, known.insert(offset).inserted else { continue }
            guard known.count <= maximumSectionCount,
                let section = try CrossReferenceSection(source, at: offset &+ headerOffset)
            else { return nil }
            sections.append(section)
            // The last offset is read next, so a hybrid-reference file's own stream comes before older sections
            // (7.5.8.4).
            offsets.append(section.trailer["/Prev"]?.integer.map(Int64.init))
            offsets.append(section.trailer["/XRefStm"]?.integer.map(Int64.init))
        }
        return sections
    }

    /// The object with a number; `nil` if there is none or it cannot be read.
    package mutating func object(_ number: Int) throws(Failure) -> PDFObject? {
        if let object = remembered[number] { return object }
        let object = try read(number)
        if let object, object.bytes.count <= Self.longestRemembered {
            if remembered.count == Self.mostRemembered { remembered = [:] }
            // A copy: the slice would keep a whole object stream.
            remembered[number] = PDFObject(Array(object.bytes)[...])
        }
        return object
    }

    private mutating func read(_ number: Int) throws(Failure) -> PDFObject? {
        for section in sections {
            switch try section.entry(for: number, in: source) {
            case .inUse(let offset):
                return try IndirectObject(source, at: offset &+ headerOffset, number: number)?.value
            case .compressed(let stream, let index): return try compressedObject(number, in: stream, at: index)
            case .free: return nil
            case nil: continue
            }
        }
        return nil
    }

    /// The object that a reference points to; any other object unchanged.
    package mutating func resolved(_ object: PDFObject?) throws(Failure) -> PDFObject? {
        guard let number = object?.reference else { return object }
        return try self.object(number)
    }

    /// A stream's dictionary and the offsets of its encoded data; `nil` for other objects and for streams with a wrong
    /// `/Length`.
    package func stream(_ number: Int) throws(Failure) -> (entries: PDFDictionary, data: Range<Int64>)? {
        guard let object = try uncompressedObject(number), let entries = object.value.dictionary,
            let data = try object.dataRange(in: source, byteCount: try resolvedLength(entries))
        else { return nil }
        return (entries, data)
    }

    /// A stream's decoded data; `nil` for other objects, for encoded data over 1 MiB, and for filters other than Flate.
    ///
    /// - Parameter maximum: decoding stops at about this many bytes.
    package func decodedData(
        ofStream number: Int, atMost maximum: Int = StreamFilter.maximumByteCount
    ) throws(Failure) -> [UInt8]? {
        guard let object = try uncompressedObject(number), let entries = object.value.dictionary else { return nil }
        return try object.decodedData(of: source, byteCount: try resolvedLength(entries), atMost: maximum)
    }

    private mutating func compressedObject(
        _ number: Int, in streamNumber: Int, at index: Int
    ) throws(Failure) -> PDFObject? {
        if decodedStream?.number != streamNumber {
            guard let stream = try objectStream(streamNumber) else { return nil }
            decodedStream = (streamNumber, stream)
        }
        guard let found = decodedStream?.stream.index(of: number, expectedAt: index) else { return nil }
        if found != index, misindexedStreams[streamNumber] == nil {
            misindexedStreams[streamNumber] = decodedStream?.stream.numbers
        }
        return decodedStream?.stream[found]
    }

    /// The number of the object stream that contains an object according to its entry; `nil` for other objects.
    func objectStreamNumber(of number: Int) throws(Failure) -> Int? {
        for section in sections {
            guard let entry = try section.entry(for: number, in: source) else { continue }
            guard case .compressed(let stream, _) = entry else { return nil }
            return stream
        }
        return nil
    }

    /// The object stream with a number; also `nil` if it is encrypted, since its data cannot be inflated.
    private func objectStream(_ number: Int) throws(Failure) -> ObjectStream? {
        guard let object = try uncompressedObject(number), let entries = object.value.dictionary,
            let data = try object.decodedData(
                of: source, byteCount: try resolvedLength(entries), encodedAtMost: Self.maximumObjectStreamLength)
        else { return nil }
        return ObjectStream(data, entries)
    }

    /// An object in the body of the file, which contains all streams.
    private func uncompressedObject(_ number: Int) throws(Failure) -> IndirectObject? {
        for section in sections {
            guard let entry = try section.entry(for: number, in: source) else { continue }
            guard case .inUse(let offset) = entry else { return nil }
            return try IndirectObject(source, at: offset &+ headerOffset, number: number)
        }
        return nil
    }

    /// The value of `/Length`, which may be a reference to an uncompressed object.
    private func resolvedLength(_ entries: PDFDictionary) throws(Failure) -> Int? {
        guard let number = entries["/Length"]?.reference else { return entries["/Length"]?.integer }
        return try uncompressedObject(number)?.value.integer
    }
}
