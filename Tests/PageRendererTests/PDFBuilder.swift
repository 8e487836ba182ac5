/// A small PDF file, written out by hand: objects, a cross-reference table, a trailer.
struct PDFBuilder {
    private var objects: [String] = []

    /// Adds an object and returns its number.
    mutating func add(_ body: String) -> Int {
        objects.append(body)
        return objects.count
    }

    mutating func addStream(_ content: String, _ entries: String = "") -> Int {
        add("<<\(entries)/Length \(content.utf8.count)>>\nstream\n\(content)\nendstream")
    }

    /// The file, with a trailer that names the catalogue and whatever else is given.
    func bytes(root: Int, _ trailer: String = "") -> [UInt8] {
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, body) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(body)\nendobj\n"
        }
        let table = offsets.map { "\(padded($0)) 00000 n \n" }.joined()
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n\(table)"
        text += "trailer\n<</Size \(objects.count + 1)/Root \(root) 0 R\(trailer)>>\nstartxref\n\(start)\n%%EOF\n"
        return Array(text.utf8)
    }

    private func padded(_ number: Int) -> String {
        String(repeating: "0", count: 10 - String(number).count) + String(number)
    }

    /// A document of pages; each is its dictionary's entries and its content.
    static func document(
        _ pages: [(entries: String, content: String)], treeEntries: String = "", title: String? = nil
    ) -> [UInt8] {
        var builder = PDFBuilder()
        let count = pages.count
        // The page tree comes first: its number must be known to the pages.
        let kids = (0..<count).map { "\($0 * 2 + 3) 0 R" }.joined(separator: " ")
        let tree = builder.add("<</Type/Pages/Kids[\(kids)]/Count \(count)\(treeEntries)>>")
        for page in pages {
            let content = builder.addStream(page.content)
            _ = builder.add("<</Type/Page/Parent \(tree) 0 R/Contents \(content) 0 R\(page.entries)>>")
        }
        let root = builder.add("<</Type/Catalog/Pages \(tree) 0 R>>")
        guard let title else { return builder.bytes(root: root) }
        let information = builder.add("<</Title(\(title))>>")
        return builder.bytes(root: root, "/Info \(information) 0 R")
    }

    /// A document of one page.
    static func page(_ entries: String, _ content: String) -> [UInt8] { document([(entries, content)]) }

    /// Four fields over a rectangle: red top left, green top right, blue bottom left, yellow bottom right.
    static func fields(x: Int = 0, y: Int = 0, width: Int, height: Int) -> String {
        let (w, h) = (width / 2, height / 2)
        return """
            1 0 0 rg \(x) \(y + h) \(w) \(h) re f 0 1 0 rg \(x + w) \(y + h) \(w) \(h) re f
            0 0 1 rg \(x) \(y) \(w) \(h) re f 1 1 0 rg \(x + w) \(y) \(w) \(h) re f
            """
    }
}
