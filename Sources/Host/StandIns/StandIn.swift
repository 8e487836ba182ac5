/// An empty stub of a shared library: the same name, functions and variables with their versions, and no code.
///
/// A renderer's decoding library is linked with dozens of others – network clients, encoders, window systems – that no
/// task ever calls. The dynamic linker loads and binds them all the same; a stand-in takes a hundredth of that time. A
/// call into a stand-in is a fault: no part of it is executable.
public struct StandIn {
    /// The name by which other libraries request it.
    public let name: String
    /// The file's content.
    public let bytes: [UInt8]

    /// Builds the stub of a library.
    ///
    /// - Parameter file: the bytes of the real library.
    /// - Throws: if the file is not a library, or has parts that a stub cannot have.
    public init(of file: [UInt8]) throws(NotALibrary) {
        let library = try SharedLibrary(file)
        name = library.name
        let plan = Plan(for: library)
        let symbols = try SymbolTable(of: library, variablesAt: plan.variables)
        // The real tables are used unchanged: symbols keep their order, and offsets into the strings stay valid.
        let parts = [library.hash, symbols.bytes[...], library.strings, library.versions, library.definitions]
        var bytes = Self.header(for: library.machine)
        for word in plan.segments(variableByteCount: symbols.variableByteCount).joined() { bytes.append(word) }
        for (part, start) in zip(parts, plan.partStarts) {
            bytes.pad(to: start)
            bytes += part
        }
        bytes.pad(to: plan.dynamicStart)
        for (tag, value) in plan.dynamic {
            bytes.append(tag.rawValue)
            bytes.append(value)
        }
        self.bytes = bytes
    }

    private static func header(for machine: UInt16) -> [UInt8] {
        // 64-bit ELF, little-endian, version 1, for any system; then 8 bytes of padding.
        var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + [UInt8](repeating: 0, count: 8)
        let sharedObject: UInt16 = 3
        bytes.append(sharedObject)
        bytes.append(machine)
        bytes.append(UInt32(1))
        // No entry; the table of segments after this header; no table of sections; no flags.
        for word: UInt64 in [0, Plan.headerByteCount, 0] { bytes.append(word) }
        bytes.append(UInt32(0))
        let sizes = [Plan.headerByteCount, Plan.segmentByteCount, Plan.segmentCount, 64, 0, 0]
        for size in sizes { bytes.append(UInt16(size)) }
        return bytes
    }
}

/// The layout of a stand-in: the same in the file and in memory.
private struct Plan {
    static let headerByteCount: UInt64 = 64
    static let segmentByteCount: UInt64 = 56
    static let segmentCount: UInt64 = 4

    /// The starts of the hash table, the symbols, the strings, the versions and their definitions.
    let partStarts: [UInt64]
    let partsEnd: UInt64
    /// The dynamic section begins a page, because the dynamic linker writes to it; the variables follow it.
    let dynamicStart: UInt64
    let dynamic: [(DynamicTag, UInt64)]
    let variables: UInt64

    init(for library: SharedLibrary) {
        var end = Self.headerByteCount + Self.segmentCount * Self.segmentByteCount
        var starts: [UInt64] = []
        for part in [library.hash, library.symbols, library.strings, library.versions, library.definitions] {
            starts.append(end.rounded(upTo: 8))
            end = starts.last! + UInt64(part.count)
        }
        partStarts = starts
        partsEnd = end
        dynamicStart = end.rounded(upTo: Self.page)
        var dynamic: [(DynamicTag, UInt64)] = [
            (.name, library.nameOffset), (.hash, starts[0]), (.symbols, starts[1]), (.strings, starts[2]),
            (.stringByteCount, UInt64(library.strings.count)),
            (.symbolByteCount, UInt64(SharedLibrary.symbolByteCount)),
        ]
        if library.definitionCount > 0 {
            dynamic += [
                (.versions, starts[3]), (.definitions, starts[4]), (.definitionCount, library.definitionCount),
            ]
        }
        self.dynamic = dynamic + [(.end, 0)]
        variables = (dynamicStart + UInt64(self.dynamic.count * 16)).rounded(upTo: SymbolTable.variableAlignment)
    }

    /// The table of segments: the read-only one, the writable one, the dynamic section in it, and the mark that the
    /// stack need not be executable.
    func segments(variableByteCount: UInt64) -> [[UInt64]] {
        let dynamicByteCount = UInt64(dynamic.count * 16)
        let (loaded, readable, writable): (UInt64, UInt64, UInt64) = (1, 4, 6)
        func segment(_ kind: UInt64, _ flags: UInt64, at start: UInt64, _ byteCount: UInt64, _ inMemory: UInt64)
            -> [UInt64]
        { [kind | flags << 32, start, start, start, byteCount, inMemory, Self.page] }
        return [
            segment(loaded, readable, at: 0, partsEnd, partsEnd),
            segment(
                loaded, writable, at: dynamicStart, dynamicByteCount, variables + variableByteCount - dynamicStart),
            segment(2, writable, at: dynamicStart, dynamicByteCount, dynamicByteCount),
            segment(0x6474_E551, writable, at: 0, 0, 0),
        ]
    }

    private static let page: UInt64 = 4096
}

/// A stand-in's symbol table.
private struct SymbolTable {
    /// In the order of the real table.
    private(set) var bytes: [UInt8]
    private(set) var variableByteCount: UInt64 = 0

    /// - Parameter variables: the address of the first variable.
    init(of library: SharedLibrary, variablesAt variables: UInt64) throws(NotALibrary) {
        bytes = Array(library.symbols)
        for entry in stride(from: 0, to: bytes.count, by: SharedLibrary.symbolByteCount) {
            let section = UInt16(bytes[entry + 6]) | UInt16(bytes[entry + 7]) << 8
            // Undefined, or a version's own name.
            if section == 0 || section == 0xFFF1 { continue }
            let (binding, kind) = (bytes[entry + 4] >> 4, bytes[entry + 4] & 15)
            guard binding == Self.global else {
                // C++ shares weak and unique symbols between libraries: they must not be found here, where they are
                // empty. Without a section they are undefined.
                bytes[entry + 6] = 0
                bytes[entry + 7] = 0
                set(0, at: entry + 8)
                continue
            }
            switch kind {
            case Self.variable, Self.commonVariable:
                set(variables + variableByteCount, at: entry + 8)
                let size = bytes[(entry + 16)..<(entry + 24)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                guard size <= Self.largestVariable else { throw NotALibrary("a variable has \(size) bytes") }
                variableByteCount += size.rounded(upTo: Self.variableAlignment)
            case Self.threadLocal:
                throw NotALibrary("has variables of threads")
            default:
                // Also for indirect functions: the dynamic linker would call them at load time.
                bytes[entry + 4] = Self.global << 4 | Self.function
                // The symbol's index as its address: it cannot be executed, and identifies the symbol in a debugger.
                set(UInt64(entry / SharedLibrary.symbolByteCount), at: entry + 8)
            }
        }
    }

    private mutating func set(_ value: UInt64, at index: Int) {
        for byte in 0..<8 { bytes[index + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte))) }
    }

    static let variableAlignment: UInt64 = 64
    private static let largestVariable: UInt64 = 1 << 24
    private static let global: UInt8 = 1
    private static let variable: UInt8 = 1
    private static let function: UInt8 = 2
    private static let commonVariable: UInt8 = 5
    private static let threadLocal: UInt8 = 6
}

extension UInt64 {
    /// - Parameter multiple: a power of two.
    fileprivate func rounded(upTo multiple: UInt64) -> UInt64 { (self + multiple - 1) & ~(multiple - 1) }
}

extension [UInt8] {
    /// Appends a number, little-endian.
    fileprivate mutating func append(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func pad(to count: UInt64) {
        append(contentsOf: repeatElement(0, count: Int(count) - self.count))
    }
}
