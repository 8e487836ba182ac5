/// A ZIP whose entries are not compressed, so that a fuzzer's changes reach their content.
enum StoredZip {
    static func archive(_ entries: KeyValuePairs<String, ArraySlice<UInt8>>) -> [UInt8] { archive(Array(entries)) }

    static func archive(_ entries: [(key: String, value: ArraySlice<UInt8>)]) -> [UInt8] {
        var archive: [UInt8] = []
        var directory: [UInt8] = []
        for (name, content) in entries {
            let offset = archive.count
            // Version 2.0, no flags, method 0, no time, no checksum: our reader asks for none.
            let fields = two(20) + zeros(12) + four(content.count) + four(content.count) + two(name.utf8.count)
            archive += "PK\u{3}\u{4}".utf8 + fields + zeros(2) + name.utf8 + content
            directory += "PK\u{1}\u{2}".utf8 + two(20) + fields + zeros(12) + four(offset) + name.utf8
        }
        let place = archive.count
        return archive + directory + "PK\u{5}\u{6}".utf8 + zeros(4) + two(entries.count) + two(entries.count)
            + four(directory.count) + four(place) + zeros(2)
    }

    private static func two(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }

    private static func four(_ value: Int) -> [UInt8] { two(value) + two(value >> 16) }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
