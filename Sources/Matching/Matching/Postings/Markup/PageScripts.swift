/// Finds the blocks of JSON-LD in a page of HTML: `<script type="application/ld+json">` outside comments.
enum PageScripts {
    /// A block with the line of the page on which it begins, from 1.
    struct Block {
        let line: Int
        let bytes: [UInt8]
    }

    /// The blocks in page order; an unclosed block ends with the page.
    static func linkedData(in page: [UInt8]) -> [Block] {
        var blocks: [Block] = []
        var line = 1
        var index = 0
        while index < page.count {
            if page[index] == 0x0A { line += 1 }
            if page[index] == UInt8(ascii: "<"), matches("<!--", page, index) {
                // A script in a comment does not count. "<!-->" is also a comment.
                var end = index + 2
                while end < page.count, !matches("-->", page, end) { end += 1 }
                line += page[index..<end].count { $0 == 0x0A }
                index = end
                continue
            }
            guard page[index] == UInt8(ascii: "<"), matches("<script", page, index) else {
                index += 1
                continue
            }
            let start = (page[index...].firstIndex(of: UInt8(ascii: ">")) ?? page.count - 1) + 1
            let attributes = String(decoding: page[index..<start], as: UTF8.self).lowercased()
            var end = start
            while end < page.count, !(page[end] == UInt8(ascii: "<") && matches("</script", page, end)) { end += 1 }
            line += page[index..<start].count { $0 == 0x0A }
            if attributes.contains("application/ld+json") {
                blocks.append(Block(line: line, bytes: content(page[start..<end])))
            }
            line += page[start..<end].count { $0 == 0x0A }
            index = end
            // The bracket of the end tag does not begin a script.
            if index < page.count { index += 1 }
        }
        return blocks
    }

    /// Without the comment or CDATA section in which older pages wrap it.
    private static func content(_ block: ArraySlice<UInt8>) -> [UInt8] {
        guard let first = block.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) else {
            return []
        }
        let before = block[block.startIndex..<first].filter { $0 > 0x20 }
        guard !before.isEmpty, let last = block.lastIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: "]") })
        else { return Array(block) }
        // "<![CDATA[" has brackets of its own.
        let isSection =
            before.starts(with: "<!".utf8) || before.starts(with: "//<!".utf8) || before.starts(with: "/*<!".utf8)
        guard isSection, let start = block.firstIndex(of: UInt8(ascii: "{")) else { return Array(block) }
        let end = block[...last].lastIndex(of: UInt8(ascii: "}")) ?? last
        return start <= end ? Array(block[start...end]) : []
    }

    /// Whether a text, given in lower case, is at an index, ignoring case.
    private static func matches(_ text: StaticString, _ page: [UInt8], _ index: Int) -> Bool {
        guard index + text.utf8CodeUnitCount <= page.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount {
            let byte = page[index + offset]
            guard ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == text.utf8Start[offset] else { return false }
        }
        return true
    }
}
