internal import Media

/// Finds email addresses, web addresses and telephone numbers in a line.
enum ContactScanner {
    /// A value and the bytes of the line that it was read from.
    struct Hit: Hashable {
        let value: String
        let bytes: Range<Int>
    }

    /// The first email address, even with spaces that text recognition put around its signs.
    static func email(in line: String) -> Hit? {
        let bytes = Array(line.utf8)
        for at in bytes.indices where bytes[at] == UInt8(ascii: "@") {
            var start = at
            var end = at + 1
            if start > 0, bytes[start - 1] == 0x20 { start -= 1 }
            let nameEnd = start
            while start > 0, isLocal(bytes[start - 1]) { start -= 1 }
            if end < bytes.count, bytes[end] == 0x20 { end += 1 }
            let hostStart = end
            while end < bytes.count, isHost(bytes[end]) { end += 1 }
            while end > hostStart, [UInt8(ascii: "."), UInt8(ascii: "-")].contains(bytes[end - 1]) { end -= 1 }
            let host = String(decoding: bytes[hostStart..<end], as: UTF8.self)
            while start < nameEnd, bytes[start] == UInt8(ascii: ".") || bytes[start] == UInt8(ascii: "-") { start += 1 }
            guard start < nameEnd, let dot = host.lastIndex(of: "."), dot > host.startIndex,
                host[host.index(after: dot)...].utf8.count >= 2, !host.contains("..")
            else { continue }
            let name = String(decoding: bytes[start..<nameEnd], as: UTF8.self)
            return Hit(value: name + "@" + host.lowercased(), bytes: start..<end)
        }
        return nil
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func isLocal(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || "._%+-".utf8.contains(byte) }

    private static func isHost(_ byte: UInt8) -> Bool { isAlphanumeric(byte) || byte == 0x2E || byte == 0x2D }

    /// The first web address outside an email address: with a scheme, `www.`, or a known host.
    static func url(in line: String) -> Hit? {
        let mail = email(in: line)?.bytes
        let text = line.utf8
        for word in words(of: line) where mail?.overlaps(word) != true {
            var range = word
            while range.count > 1, let last = text[at: range.upperBound - 1], ".,;)".utf8.contains(last) {
                range = range.lowerBound..<range.upperBound - 1
            }
            let value = line[bytes: range]
            let lower = value.lowercased()
            let isAddress =
                lower.hasPrefix("http://") || lower.hasPrefix("https://") || lower.hasPrefix("www.")
                || ["linkedin.com/", "github.com/", "gitlab.com/", "behance.net/", "dribbble.com/", "medium.com/@"]
                    .contains { lower.contains($0) }
            if isAddress || isPersonalSite(lower) { return Hit(value: value, bytes: range) }
        }
        return nil
    }

    /// `jane-doe.dev`, `janedoe.example.org/cv`: letters, a dot, a top-level domain that people use.
    private static func isPersonalSite(_ text: String) -> Bool {
        let host = text.prefix { $0 != "/" }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let known: Set<Substring> = [
            "com", "org", "net", "dev", "io", "me", "design", "info", "app", "eu", "tech", "page",
        ]
        return labels.count >= 2 && known.contains(labels.last!) && labels[0].utf8.count >= 4
            && labels.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" } }
            && !["node", "asp"].contains(labels[0])
    }

    private static func words(of line: String) -> [Range<Int>] {
        var words: [Range<Int>] = []
        var start: Int?
        for (index, byte) in line.utf8.enumerated() {
            let isEnd =
                byte <= 0x20 || byte == UInt8(ascii: "|") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ",")
                || byte == UInt8(ascii: ";")
            if isEnd, let first = start {
                words.append(first..<index)
                start = nil
            } else if !isEnd, start == nil {
                start = index
            }
        }
        if let start { words.append(start..<line.utf8.count) }
        return words
    }

    /// The first telephone number: 7 to 15 digits (the maximum of E.164) with the usual separators, but no dates.
    static func phone(in line: String) -> Hit? {
        let bytes = Array(line.utf8)
        var index = 0
        while index < bytes.count {
            guard isPhoneStart(bytes, index) else {
                index += 1
                continue
            }
            let start = index
            var last = index
            var digits = 0
            var groups = 0
            var value: [UInt8] = []
            var isInGroup = false
            while index < bytes.count, let part = phonePart(bytes, index) {
                if part.isDigit {
                    digits += 1
                    last = index
                    if !isInGroup { groups += 1 }
                }
                isInGroup = part.isDigit
                value += part.text
                index += part.length
            }
            let range = start..<last + 1
            let text = line[bytes: range]
            let hasCode = bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "(")
            let isNumber = (7...15).contains(digits) && (groups > 1 || hasCode || digits >= 10)
            let touchesWord = range.upperBound < bytes.count && isAlphanumeric(bytes[range.upperBound])
            if isNumber, !touchesWord, !isDates(text) {
                while let end = value.last, !(0x30...0x39).contains(end) { value.removeLast() }
                return Hit(value: String(decoding: value, as: UTF8.self), bytes: range)
            }
            index = max(index, start + 1)
        }
        return nil
    }

    private static func isDates(_ text: String) -> Bool {
        let dates = DateMention.all(in: text)
        return !dates.isEmpty && dates.reduce(0) { $0 + $1.bytes.count } >= text.utf8.count - 2
    }

    private static func isPhoneStart(_ bytes: [UInt8], _ index: Int) -> Bool {
        let byte = bytes[index]
        guard (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "(") else {
            return false
        }
        // Digits inside words and addresses are not telephone numbers.
        return index == 0 || !(isAlphanumeric(bytes[index - 1]) || "/_@#.".utf8.contains(bytes[index - 1]))
    }

    private static func phonePart(
        _ bytes: [UInt8], _ index: Int
    ) -> (text: [UInt8], length: Int, isDigit: Bool)? {
        let byte = bytes[index]
        switch byte {
        case 0x30...0x39: return ([byte], 1, true)
        case UInt8(ascii: "O"), UInt8(ascii: "o"), UInt8(ascii: "l"), UInt8(ascii: "I"):
            // Zeros and ones that text recognition read as letters: next to a digit, and not before another letter.
            let isZero = byte == UInt8(ascii: "O") || byte == UInt8(ascii: "o")
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0x20
            let isBeside = index > 0 && ((0x30...0x39).contains(bytes[index - 1]) || (0x30...0x39).contains(next))
            let isAlone = !(0x61...0x7A).contains(next) || next == UInt8(ascii: "l") || next == UInt8(ascii: "o")
            return isBeside && isAlone ? ([isZero ? 0x30 : 0x31], 1, true) : nil
        case 0x20, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"),
            UInt8(ascii: "+"):
            // Two spaces or a tab separate cells.
            if byte == 0x20, index + 1 < bytes.count, bytes[index + 1] == 0x20 { return nil }
            return ([byte], 1, false)
        case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0xA0: return ([0x20], 2, false)
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80 && (0x90...0x95).contains(bytes[index + 2]):
            return ([UInt8(ascii: "-")], 3, false)
        default: return nil
        }
    }
}

extension String.UTF8View {
    fileprivate subscript(at offset: Int) -> UInt8? {
        offset >= 0 && offset < count ? self[index(startIndex, offsetBy: offset)] : nil
    }
}
