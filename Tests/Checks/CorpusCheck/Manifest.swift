import CLinux

/// The facts of the corpus's files, by other tools.
struct Manifest {
    struct Entry {
        let path: String
        let mediaType: String
        /// The last column: `key=value` pairs.
        let facts: [String: String]

        /// A trial decode by one of Debian's tools succeeded.
        var isDecodable: Bool {
            ["vipsthumb256", "frame0", "pdftoppm512"].contains { key in
                facts[key].map { $0.first?.isNumber == true } ?? false
            }
        }

        func number(_ key: String) -> Double? {
            facts[key].flatMap { Double($0.prefix { $0.isNumber || $0 == "." || $0 == "-" }) }
        }

        func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0) } }
    }

    let entries: [Entry]

    init?(corpus: String) {
        guard let text = TextFile.read("\(corpus)/manifest.tsv") else { return nil }
        entries = text.split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            var facts: [String: String] = [:]
            for pair in (columns.count > 7 ? columns[7] : "").split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { facts[String(parts[0])] = String(parts[1]) }
            }
            return Entry(path: columns[0], mediaType: columns.count > 6 ? columns[6] : "", facts: facts)
        }
    }
}

/// A whole text file.
enum TextFile {
    static func read(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        return read(file)
    }

    static func read(_ file: UnsafeMutablePointer<FILE>) -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
