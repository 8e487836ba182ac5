internal import CLinux
internal import Synchronization

/// Converts bytes in Windows code pages to text.
///
/// For pages with one byte per character this project has its own tables. The East Asian pages use glibc's modules,
/// which only a process that may open files can load: the renderer does so before it forks.
final class CodePages: Sendable {
    /// glibc's conversion descriptors, by page number. A child uses its own copies.
    private let conversions = Mutex<[Int: SendableDescriptor]>([:])

    private struct SendableDescriptor: @unchecked Sendable {
        // Used only under the lock, and closed with the process.
        let descriptor: iconv_t
    }

    private static let names = [932: "CP932", 936: "GBK", 949: "UHC", 950: "BIG5"]

    /// Loads the conversions of the pages with two bytes per character; a conversion that the machine lacks is left
    /// out.
    func load() {
        conversions.withLock { conversions in
            guard conversions.isEmpty else { return }
            for (number, name) in Self.names {
                let descriptor = iconv_open("UTF-8", name)
                // `(iconv_t)-1`, as iconv_open(3) has it.
                if Int(bitPattern: descriptor) != -1, let descriptor {
                    conversions[number] = SendableDescriptor(descriptor: descriptor)
                }
            }
        }
    }

    /// Whether a byte is the first of a two-byte character in a page.
    static func isLead(_ byte: UInt8, in page: Int) -> Bool {
        switch page {
        case 932: (0x81...0x9F).contains(byte) || (0xE0...0xFC).contains(byte)
        case 936, 949, 950: (0x81...0xFE).contains(byte)
        default: false
        }
    }

    /// The text of bytes in a page. An unknown page is read as Windows-1252; bytes that are not characters become
    /// U+FFFD.
    func text(of bytes: [UInt8], in page: Int) -> String {
        if page == 65001 { return String(decoding: bytes, as: UTF8.self) }
        if Self.names[page] != nil, let text = converted(bytes, page) { return text }
        let table = CodePage(number: page) ?? .windows1252
        return String(String.UnicodeScalarView(bytes.map { table.scalar(of: $0) }))
    }

    private func converted(_ bytes: [UInt8], _ page: Int) -> String? {
        conversions.withLock { conversions in
            guard let descriptor = conversions[page]?.descriptor else { return nil }
            iconv(descriptor, nil, nil, nil, nil)
            var output = [UInt8](repeating: 0, count: bytes.count * 3 + 16)
            var input = bytes
            let count = input.withUnsafeMutableBytes { input in
                output.withUnsafeMutableBytes { output in
                    Self.convert(input, to: output, by: descriptor)
                }
            }
            return String(decoding: output[..<count], as: UTF8.self)
        }
    }

    /// Converts valid bytes; each invalid byte becomes U+FFFD.
    private static func convert(
        _ input: UnsafeMutableRawBufferPointer, to output: UnsafeMutableRawBufferPointer, by descriptor: iconv_t
    ) -> Int {
        var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
        var (inputLeft, outputLeft) = (input.count, output.count)
        var place = output.baseAddress?.assumingMemoryBound(to: CChar.self)
        while inputLeft > 0 {
            if iconv(descriptor, &next, &inputLeft, &place, &outputLeft) != -1 { break }
            guard inputLeft > 0, outputLeft >= 3 else { break }
            for byte in [0xEF, 0xBF, 0xBD] as [UInt8] {
                place!.pointee = CChar(bitPattern: byte)
                place! += 1
            }
            outputLeft -= 3
            next! += 1
            inputLeft -= 1
        }
        return output.count - outputLeft
    }
}
