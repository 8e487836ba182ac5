/// Builds an OLE compound file ([MS-CFB]) of version 3: a header, the streams' sectors, then the directory. The
/// allocation table comes last, so that no reader finds it by reading only the first sectors.
package struct CompoundFileBuilder {
    /// An entry of the directory.
    package enum Node {
        case stream(String, [UInt8])
        case storage(String, [Node])
    }

    /// Sectors of zeros between the streams and the directory.
    package var paddingSectorCount = 0
    private let nodes: [Node]

    /// A file with these entries in its root.
    package init(_ nodes: [Node]) { self.nodes = nodes }

    private struct Entry {
        var name: String
        var type: UInt8
        var left: UInt32 = .max
        var right: UInt32 = .max
        var child: UInt32 = .max
        var start: UInt32 = 0xFFFF_FFFE
        var size: UInt32 = 0
    }

    /// The file's bytes. Streams of 4,096 bytes or more have their own sectors; shorter ones share the root's.
    package func bytes() -> [UInt8] {
        var entries = [Entry(name: "Root Entry", type: 5)]
        var data: [UInt8] = []
        var chains: [Int] = []
        var short: [UInt8] = []
        entries[0].child = add(nodes, to: &entries, &data, &chains, &short)
        entries[0].start = UInt32(data.count / 512)
        entries[0].size = UInt32(short.count)
        append(short, to: &data, &chains)
        append(zeros(paddingSectorCount * 512), to: &data, &chains)
        let shortTableStart = UInt32(data.count / 512)
        // Each short stream is one chain of mini sectors, in sequence.
        append(shortTable(entries, sectorCount: short.count / 64), to: &data, &chains)
        let directoryStart = UInt32(data.count / 512)
        append(entries.flatMap(Self.encoded), to: &data, &chains)
        let tableStart = UInt32(data.count / 512)
        return header(
            directoryStart: directoryStart, shortTableStart: short.isEmpty ? 0xFFFF_FFFE : shortTableStart,
            tableStart: tableStart, chains) + data + table(chains)
    }

    /// Adds siblings as a chain to the right; returns the first one's index.
    private func add(
        _ nodes: [Node], to entries: inout [Entry], _ data: inout [UInt8], _ chains: inout [Int], _ short: inout [UInt8]
    ) -> UInt32 {
        var next = UInt32.max
        for node in nodes.reversed() {
            var entry: Entry
            switch node {
            case .stream(let name, let content):
                entry = Entry(name: name, type: 2, size: UInt32(content.count))
                if content.count < 4096 {
                    entry.start = UInt32(short.count / 64)
                    short += content + zeros((64 - content.count % 64) % 64)
                } else {
                    entry.start = UInt32(data.count / 512)
                    append(content, to: &data, &chains)
                }
            case .storage(let name, let children):
                entry = Entry(name: name, type: 1)
                entry.child = add(children, to: &entries, &data, &chains, &short)
            }
            entry.right = next
            next = UInt32(entries.count)
            entries.append(entry)
        }
        return next
    }

    private func shortTable(_ entries: [Entry], sectorCount: Int) -> [UInt8] {
        var table = (0..<UInt32(sectorCount)).map { $0 + 1 }
        for entry in entries where entry.type == 2 && entry.size < 4096 && entry.size > 0 {
            table[Int(entry.start) + Int(entry.size + 63) / 64 - 1] = 0xFFFF_FFFE
        }
        return table.flatMap(\.little)
    }

    private func append(_ content: [UInt8], to data: inout [UInt8], _ chains: inout [Int]) {
        guard !content.isEmpty else { return }
        let sectorCount = (content.count + 511) / 512
        data += content + zeros(sectorCount * 512 - content.count)
        chains.append(sectorCount)
    }

    private func table(_ chains: [Int]) -> [UInt8] {
        var table: [UInt32] = []
        for sectorCount in chains {
            table += (0..<sectorCount).map { $0 == sectorCount - 1 ? 0xFFFF_FFFE : UInt32(table.count + $0 + 1) }
        }
        let sectorCount = tableSectorCount(chains)
        table += [UInt32](repeating: 0xFFFF_FFFD, count: sectorCount)
        table += [UInt32](repeating: .max, count: sectorCount * 128 - table.count)
        return table.flatMap(\.little)
    }

    private func tableSectorCount(_ chains: [Int]) -> Int { (chains.reduce(0, +) + 126) / 127 }

    private func header(
        directoryStart: UInt32, shortTableStart: UInt32, tableStart: UInt32, _ chains: [Int]
    ) -> [UInt8] {
        var header: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + zeros(16)
        header += UInt16(0x3E).little + UInt16(3).little + UInt16(0xFFFE).little + UInt16(9).little + UInt16(6).little
        header += zeros(6) + UInt32(0).little + UInt32(tableSectorCount(chains)).little + directoryStart.little
        header += UInt32(0).little + UInt32(4096).little + shortTableStart.little + UInt32(1).little
        header += UInt32(0xFFFF_FFFE).little + UInt32(0).little
        let sectors = (0..<109).map { $0 < tableSectorCount(chains) ? tableStart + UInt32($0) : .max }
        return header + sectors.flatMap(\.little)
    }

    private static func encoded(_ entry: Entry) -> [UInt8] {
        let name = Array(entry.name.utf16).flatMap(\.little)
        var bytes = name + zeros(64 - name.count) + UInt16(name.count + 2).little + [entry.type, 1]
        bytes += entry.left.little + entry.right.little + entry.child.little + zeros(36)
        return bytes + entry.start.little + entry.size.little + zeros(4)
    }
}
