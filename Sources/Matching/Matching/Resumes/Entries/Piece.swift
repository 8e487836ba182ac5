internal import Media

/// A part of a line that may be one value: a title, a name, a place.
struct Piece: Hashable {
    var text: String
    var place: TextPlace
    /// The line's number in its section.
    var line: Int

    /// The part of some bytes of its text, without white space around it; `nil` if nothing is left.
    func part(_ bytes: Range<Int>) -> Piece? {
        let source = text.utf8
        func isBlank(_ offset: Int) -> Bool { source[source.index(source.startIndex, offsetBy: offset)] <= 0x20 }
        var (start, end) = (bytes.lowerBound, bytes.upperBound)
        while start < end, isBlank(start) { start += 1 }
        while end > start, isBlank(end - 1) { end -= 1 }
        guard start < end else { return nil }
        let base = place.bytes.lowerBound
        return Piece(
            text: text[bytes: start..<end], place: TextPlace(page: place.page, bytes: base + start..<base + end),
            line: line)
    }

    /// The parts between commas.
    var commaParts: [Piece] {
        var parts: [Piece] = []
        var start = 0
        for (index, byte) in text.utf8.enumerated() where byte == UInt8(ascii: ",") {
            if let part = part(start..<index) { parts.append(part) }
            start = index + 1
        }
        if let part = part(start..<text.utf8.count) { parts.append(part) }
        return parts
    }
}

extension ResumeLine {
    /// The parts of the line outside dates, split at tabs and at the signs that separate values: bars, bullets, spaced
    /// dashes, semicolons and brackets.
    ///
    /// - Parameter commas: whether commas separate values as well.
    func pieces(line number: Int, commas: Bool = false) -> [Piece] {
        let bytes = Array(line.text.utf8)
        var isCut = Array(repeating: false, count: bytes.count)
        for date in dates { for index in date.bytes { isCut[index] = true } }
        var pieces: [Piece] = []
        var start = body.lowerBound
        var index = start
        func close(at end: Int) {
            if let piece = piece(start..<end, bytes, number) { pieces.append(piece) }
        }
        while index < bytes.count {
            let length = isCut[index] ? 1 : Self.separatorLength(bytes, index, commas: commas)
            if length > 0 {
                if start <= index { close(at: index) }
                index += length
                start = index
            } else {
                index += 1
            }
        }
        if start < bytes.count { close(at: bytes.count) }
        return pieces
    }

    /// The piece without white space, brackets and signs around it; `nil` if nothing is left.
    private func piece(_ range: Range<Int>, _ bytes: [UInt8], _ number: Int) -> Piece? {
        var (start, end) = (range.lowerBound, range.upperBound)
        let around = Array(" \t,;:|()[]-*_".utf8)
        func isDash(_ at: Int) -> Bool {
            at + 2 < end && at >= start && bytes[at] == 0xE2 && bytes[at + 1] == 0x80
                && [0x93, 0x94, 0xA2, 0x90].contains(bytes[at + 2])
        }
        var hasChanged = true
        // The last opening bracket before `end`; searched again only after it was removed.
        var opened = bytes[range].lastIndex(of: UInt8(ascii: "("))
        func hasOpened() -> Bool {
            if let last = opened, last >= end {
                opened = bytes[range.lowerBound..<end].lastIndex(of: UInt8(ascii: "("))
            }
            return opened.map { $0 >= start } == true
        }
        while hasChanged, start < end {
            hasChanged = false
            if around.contains(bytes[start]) {
                (start, hasChanged) = (start + 1, true)
                continue
            }
            if around.contains(bytes[end - 1]) {
                // A closing bracket that was opened inside belongs to the value.
                let isPair = bytes[end - 1] == UInt8(ascii: ")") && hasOpened()
                if !isPair {
                    (end, hasChanged) = (end - 1, true)
                    continue
                }
            }
            if isDash(start) {
                (start, hasChanged) = (start + 3, true)
                continue
            }
            if end - start >= 3, isDash(end - 3) { (end, hasChanged) = (end - 3, true) }
        }
        guard end > start else { return nil }
        let text = line.text[bytes: start..<end]
        guard text.contains(where: \.isLetter) else { return nil }
        return Piece(text: text, place: line.place(of: start..<end), line: number)
    }

    /// The number of bytes of a separator at an index; 0 if there is none.
    private static func separatorLength(_ bytes: [UInt8], _ index: Int, commas: Bool) -> Int {
        let isSpacedBefore = index == 0 || bytes[index - 1] <= 0x20
        func isSpacedAfter(_ next: Int) -> Bool { next >= bytes.count || bytes[next] <= 0x20 }
        switch bytes[index] {
        case 0x09, UInt8(ascii: "|"), UInt8(ascii: ";"): return 1
        case UInt8(ascii: ","): return commas ? 1 : 0
        case UInt8(ascii: "-"), UInt8(ascii: "/"), UInt8(ascii: "~"), UInt8(ascii: "@"), UInt8(ascii: ":"):
            return (isSpacedBefore || bytes[index] == UInt8(ascii: ":")) && isSpacedAfter(index + 1) ? 1 : 0
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x80:
            // Dashes next to a space, and bullets.
            switch bytes[index + 2] {
            case 0x93, 0x94: return isSpacedBefore || isSpacedAfter(index + 3) ? 3 : 0
            case 0xA2: return 3
            default: return 0
            }
        case 0xE2 where index + 2 < bytes.count && bytes[index + 1] == 0x97 && bytes[index + 2] == 0x8F: return 3
        case 0xC2 where index + 1 < bytes.count && bytes[index + 1] == 0xB7: return 2
        case UInt8(ascii: "(") where isSpacedBefore: return 1
        default: return 0
        }
    }
}
