internal import CLinux
internal import Linux

/// The tables of a shared library with which the dynamic linker binds others to it.
///
/// Sources: the System V ABI's chapter on dynamic linking, and its GNU extensions for hash tables and versions. 64
/// bits, little-endian.
struct SharedLibrary {
    /// The processor that the library is for (`e_machine`).
    let machine: UInt16
    /// The name by which other libraries request it.
    let name: String
    /// The name's place in `strings`.
    let nameOffset: UInt64
    /// `.dynsym`, 24 bytes per symbol.
    let symbols: ArraySlice<UInt8>
    /// `.dynstr`.
    let strings: ArraySlice<UInt8>
    /// `.gnu.hash`; it also gives the number of symbols.
    let hash: ArraySlice<UInt8>
    /// `.gnu.version`, two bytes per symbol; empty if the library has no versions, like the next two.
    let versions: ArraySlice<UInt8>
    /// `.gnu.version_d`.
    let definitions: ArraySlice<UInt8>
    let definitionCount: UInt64

    /// The size of a symbol's entry.
    static let symbolByteCount = 24

    /// Parses a library.
    ///
    /// - Parameter file: the library's bytes.
    /// - Throws: the first deviation from a library's format.
    init(_ file: [UInt8]) throws(NotALibrary) {
        let bytes = LibraryBytes(file)
        guard try bytes.integer(at: 0, as: UInt32.self) == 0x464C_457F,
            try bytes.integer(at: 4, as: UInt16.self) == 0x0102
        else { throw NotALibrary("not a 64-bit, little-endian ELF file") }
        machine = try bytes.integer(at: 18)
        let tags = try bytes.dynamicTags()
        func offset(_ tag: DynamicTag) throws(NotALibrary) -> Int {
            guard let address = tags[tag.rawValue] else { throw NotALibrary("without \(tag)") }
            return try bytes.offset(of: address)
        }
        guard let nameOffset = tags[DynamicTag.name.rawValue],
            let stringByteCount = tags[DynamicTag.stringByteCount.rawValue]
        else { throw NotALibrary("without a name") }
        self.nameOffset = nameOffset
        let (hashOffset, symbolOffset) = (try offset(.hash), try offset(.symbols))
        let (count, hashByteCount) = try bytes.hashExtent(at: hashOffset)
        hash = try bytes.slice(at: hashOffset, count: hashByteCount)
        symbols = try bytes.slice(at: symbolOffset, count: count * Self.symbolByteCount)
        strings = try bytes.slice(at: try offset(.strings), count: Int(clamping: stringByteCount))
        name = String(decoding: strings.dropFirst(Int(clamping: nameOffset)).prefix { $0 != 0 }, as: UTF8.self)
        definitionCount = tags[DynamicTag.definitionCount.rawValue] ?? 0
        if definitionCount > 0 {
            versions = try bytes.slice(at: try offset(.versions), count: count * 2)
            let start = try offset(.definitions)
            let end = try bytes.definitionsEnd(at: start, count: definitionCount)
            definitions = try bytes.slice(at: start, count: end - start)
        } else {
            versions = []
            definitions = []
        }
    }
}

extension SharedLibrary {
    /// The names of the libraries that a program or library is linked with.
    static func needs(ofFileAt path: String) throws -> [String] {
        let file = try Descriptor.open(path, O_RDONLY)
        let bytes = LibraryBytes(try file.bytes(at: 0, count: Int(try file.status().byteCount)))
        let entries = try bytes.dynamicEntries()
        guard let address = entries.first(where: { $0.tag == DynamicTag.strings.rawValue })?.value else { return [] }
        let strings = try bytes.offset(of: address)
        return try entries.filter { $0.tag == DynamicTag.needed.rawValue }
            .map { try bytes.text(at: strings + Int(clamping: $0.value)) }
    }
}

/// The reason why no stand-in can be made for a file.
public struct NotALibrary: Error, CustomStringConvertible {
    /// The reason in words.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The entries of a library's dynamic section that this module reads and writes.
enum DynamicTag: UInt64 {
    case end = 0
    case needed = 1
    case strings = 5
    case symbols = 6
    case stringByteCount = 10
    case symbolByteCount = 11
    case name = 14
    case hash = 0x6FFF_FEF5
    case versions = 0x6FFF_FFF0
    case definitions = 0x6FFF_FFFC
    case definitionCount = 0x6FFF_FFFD
}

/// The bytes of a library's file; every access is bounds-checked.
private struct LibraryBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func slice(at offset: Int, count: Int) throws(NotALibrary) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else {
            throw NotALibrary("cut off at byte \(offset)")
        }
        return bytes[offset..<offset + count]
    }

    func integer<Value: FixedWidthInteger>(
        at offset: Int, as type: Value.Type = Value.self
    ) throws(NotALibrary) -> Value {
        try slice(at: offset, count: MemoryLayout<Value>.size).reversed().reduce(0) { $0 << 8 | Value($1) }
    }

    private enum SegmentKind: UInt32 {
        case loaded = 1
        case dynamic = 2
    }

    /// A part of the file, and its address in memory.
    private struct Segment {
        let offset: UInt64
        let address: UInt64
        let byteCount: UInt64
    }

    private func segments(_ kind: SegmentKind) throws(NotALibrary) -> [Segment] {
        let start = Int(clamping: try integer(at: 32, as: UInt64.self))
        var segments: [Segment] = []
        for index in 0..<Int(try integer(at: 56, as: UInt16.self)) {
            let entry = try slice(at: start, count: bytes.count - start).startIndex + index * 56
            guard try integer(at: entry, as: UInt32.self) == kind.rawValue else { continue }
            segments.append(
                Segment(
                    offset: try integer(at: entry + 8), address: try integer(at: entry + 16),
                    byteCount: try integer(at: entry + 32)))
        }
        return segments
    }

    /// The file offset of an address of the library.
    func offset(of address: UInt64) throws(NotALibrary) -> Int {
        for segment in try segments(.loaded) {
            let (distance, isBefore) = address.subtractingReportingOverflow(segment.address)
            let (offset, overflows) = segment.offset.addingReportingOverflow(distance)
            if !isBefore, distance < segment.byteCount, !overflows { return Int(clamping: offset) }
        }
        throw NotALibrary("address \(address) is not in the file")
    }

    /// The entries of the dynamic section by tag; the last one if a tag repeats.
    func dynamicTags() throws(NotALibrary) -> [UInt64: UInt64] {
        Dictionary(try dynamicEntries().map { ($0.tag, $0.value) }) { $1 }
    }

    /// A zero-terminated text.
    func text(at offset: Int) throws(NotALibrary) -> String {
        String(decoding: try slice(at: offset, count: bytes.count - offset).prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The dynamic section.
    func dynamicEntries() throws(NotALibrary) -> [(tag: UInt64, value: UInt64)] {
        guard let segment = try segments(.dynamic).first else { throw NotALibrary("without a dynamic section") }
        var entries: [(tag: UInt64, value: UInt64)] = []
        let start = Int(clamping: segment.offset)
        for index in 0..<Int(clamping: segment.byteCount / 16) {
            let tag: UInt64 = try integer(at: start + index * 16)
            if tag == DynamicTag.end.rawValue { break }
            entries.append((tag, try integer(at: start + index * 16 + 8)))
        }
        return entries
    }

    /// The number of symbols in the GNU hash table at `offset`, and the table's size: its last chain ends with the last
    /// symbol.
    func hashExtent(at offset: Int) throws(NotALibrary) -> (symbolCount: Int, byteCount: Int) {
        let bucketCount = Int(try integer(at: offset, as: UInt32.self))
        let first = Int(try integer(at: offset + 4, as: UInt32.self))
        let filterCount = Int(try integer(at: offset + 8, as: UInt32.self))
        let buckets = offset + 16 + filterCount * 8
        var last = first - 1
        for index in 0..<bucketCount {
            last = max(last, Int(try integer(at: buckets + index * 4, as: UInt32.self)))
        }
        let chains = buckets + bucketCount * 4
        if last >= first {
            while try integer(at: chains + (last - first) * 4, as: UInt32.self) & 1 == 0 { last += 1 }
        }
        return (last + 1, chains + (last + 1 - first) * 4 - offset)
    }

    /// The end of the version list that begins at `start`: each entry has the distances to the next one and to its
    /// names.
    func definitionsEnd(at start: Int, count: UInt64) throws(NotALibrary) -> Int {
        var (entry, end) = (start, start)
        for _ in 0..<count {
            var name = entry + Int(try integer(at: entry + 12, as: UInt32.self))
            for _ in 0..<(try integer(at: entry + 6, as: UInt16.self)) {
                end = max(end, name + 8)
                name += Int(try integer(at: name + 4, as: UInt32.self))
            }
            end = max(end, entry + 20)
            let next = Int(try integer(at: entry + 16, as: UInt32.self))
            if next == 0 { break }
            entry += next
        }
        return end
    }
}
