/// What a file's first bytes say, read without the libraries that wrote them.
enum FileHeader {
    struct JPEG: Equatable {
        var isBaseline: Bool
        var width: Int
        var height: Int
        /// Sampling factors of each component: 0x22 is two across and two down.
        var sampling: [UInt8]
    }

    /// The first frame header (ITU-T T.81, B.2.2).
    static func jpeg(_ file: [UInt8]) -> JPEG? {
        guard file.starts(with: [0xFF, 0xD8]), file.suffix(2) == [0xFF, 0xD9] else { return nil }
        var at = 2
        while at + 9 < file.count, file[at] == 0xFF {
            let marker = file[at + 1]
            if (0xC0...0xC2).contains(marker) {
                let count = Int(file[at + 9])
                return JPEG(
                    isBaseline: marker == 0xC0, width: number(file, at + 7, 2), height: number(file, at + 5, 2),
                    sampling: (0..<count).map { file[at + 11 + 3 * $0] })
            }
            at += 2 + number(file, at + 2, 2)
        }
        return nil
    }

    struct PNG: Equatable {
        var width: Int
        var height: Int
        var bitDepth: Int
        /// 2 is RGB, 6 RGBA.
        var colourType: Int
    }

    /// The IHDR chunk (PNG specification, 11.2.2).
    static func png(_ file: [UInt8]) -> PNG? {
        guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + "IHDR".utf8) else {
            return nil
        }
        return PNG(
            width: number(file, 16, 4), height: number(file, 20, 4), bitDepth: Int(file[24]), colourType: Int(file[25]))
    }

    /// Names of a PNG's chunks, in order.
    static func pngChunks(_ file: [UInt8]) -> [String] {
        var names: [String] = []
        var at = 8
        while at + 12 <= file.count {
            names.append(String(decoding: file[at + 4..<at + 8], as: UTF8.self))
            at += 12 + number(file, at, 4)
        }
        return names
    }

    /// The first chunk's name of a WebP file whose size is what its header says (RFC 9649, 2.4).
    static func webpChunk(_ file: [UInt8]) -> String? {
        guard file.starts(with: "RIFF".utf8), file[8..<12].elementsEqual("WEBP".utf8) else { return nil }
        let byteCount = (0..<4).reduce(0) { $0 | Int(file[4 + $1]) << (8 * $1) }
        return byteCount + 8 == file.count ? String(decoding: file[12..<16], as: UTF8.self) : nil
    }

    private static func number(_ file: [UInt8], _ at: Int, _ count: Int) -> Int {
        file[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
