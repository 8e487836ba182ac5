internal import Media

/// Recognises PDF: `%PDF-` at the start or, as viewers accept, after at most 1,024 bytes of junk.
enum PDFHeader: ContentReader {
    static func finding(in source: BoundedSource) throws(Failure) -> Finding? {
        let head = source.head
        if head.has("%PDF-") { return Finding(.pdf) }
        guard let offset = head.firstOffset(of: "%PDF-", in: 1..<1025), isHeader(head, at: offset),
            !isSomethingElse(head), try hasObjects(source, behind: offset)
        else { return nil }
        return Finding(.pdf)
    }

    /// Whether a version follows, unlike in a text that only mentions the mark.
    private static func isHeader(_ head: Bytes, at offset: Int) -> Bool {
        guard let major = head[offset + 5], let minor = head[offset + 7] else { return false }
        return ASCII.isDigit(major) && head[offset + 6] == UInt8(ascii: ".") && ASCII.isDigit(minor)
    }

    /// Whether other programs would open the file as a page or run it as a program.
    private static func isSomethingElse(_ head: Bytes) -> Bool {
        head.has("#!") || head.has("MZ") || head.has("\u{7F}ELF") || HTMLPage.isOne(MarkupOpening(head))
    }

    /// Whether an object follows in the head, or the tail has `startxref`.
    private static func hasObjects(_ source: BoundedSource, behind offset: Int) throws(Failure) -> Bool {
        let head = source.head
        if head.firstOffset(of: " obj", in: offset..<head.count) != nil { return true }
        guard let tail = try source.tail(2048)?.bytes else { return false }
        return tail.firstOffset(of: "startxref", in: 0..<tail.count) != nil
    }
}
