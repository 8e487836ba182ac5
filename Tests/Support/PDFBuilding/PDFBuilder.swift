/// A small PDF file, written out by hand: objects, a cross-reference table, a trailer.
package struct PDFBuilder {
    private var objects: [[UInt8]] = []

    /// A builder without objects.
    package init() {}

    /// Adds an object and returns its number.
    package mutating func add(_ body: String) -> Int { add(Array(body.utf8)) }

    /// Adds a stream object without a filter and returns its number.
    package mutating func addStream(_ content: String, _ entries: String = "") -> Int {
        addStream(Array(content.utf8), entries)
    }

    /// Adds a stream object and returns its number.
    ///
    /// - Parameter entries: the entries of its dictionary other than `/Length`.
    package mutating func addStream(_ content: [UInt8], _ entries: String = "") -> Int {
        add(Array("<<\(entries)/Length \(content.count)>>\nstream\n".utf8) + content + Array("\nendstream".utf8))
    }

    private mutating func add(_ body: [UInt8]) -> Int {
        objects.append(body)
        return objects.count
    }

    /// The file, with a cross-reference table and a trailer.
    ///
    /// - Parameters:
    ///   - root: the number of the catalogue.
    /// - trailer: additional entries of the trailer.
    package func bytes(root: Int, _ trailer: String = "") -> [UInt8] {
        var file = Array("%PDF-1.4\n".utf8)
        let table = append(Array(objects.indices), to: &file).map { "\(padded($0)) 00000 n \n" }.joined()
        let start = file.count
        file += Array("xref\n0 \(objects.count + 1)\n0000000000 65535 f \n\(table)".utf8)
        file += Array(
            "trailer\n<</Size \(objects.count + 1)/Root \(root) 0 R\(trailer)>>\nstartxref\n\(start)\n%%EOF\n".utf8)
        return file
    }

    /// The file with all objects except streams in an object stream, and with a cross-reference stream (PDF 1.5).
    package func compactBytes(root: Int) -> [UInt8] {
        var builder = self
        let isStream = objects.map { $0.suffix(9) == Array("endstream".utf8) }
        let packed = objects.indices.filter { !isStream[$0] }
        var (heads, bodies) = ("", [UInt8]())
        for index in packed {
            heads += "\(index + 1) \(bodies.count) "
            bodies += objects[index] + [10]
        }
        let store = builder.addStream(
            Array(heads.utf8) + bodies, "/Type/ObjStm/N \(packed.count)/First \(heads.utf8.count)")
        var file = Array("%PDF-1.5\n".utf8)
        let lying = builder.objects.indices.filter { $0 >= isStream.count || isStream[$0] }
        let offsets = Dictionary(uniqueKeysWithValues: zip(lying, builder.append(lying, to: &file)))
        var rows: [UInt8] = [0, 0, 0, 0, 0]
        for index in builder.objects.indices {
            let (type, second, third) =
                offsets[index].map { (1, $0, 0) } ?? (2, store, packed.firstIndex(of: index)!)
            rows += [UInt8(type), UInt8(second >> 16), UInt8(second >> 8 & 255), UInt8(second & 255), UInt8(third)]
        }
        let start = file.count
        let number = builder.objects.count + 1
        rows += [1, UInt8(start >> 16), UInt8(start >> 8 & 255), UInt8(start & 255), 0]
        file += Array(
            "\(number) 0 obj\n<</Type/XRef/Size \(number + 1)/W[1 3 1]/Root \(root) 0 R/Length \(rows.count)>>stream\n"
                .utf8)
        return file + rows + Array("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8)
    }

    /// Writes objects by their indices and returns the offset of each.
    private func append(_ indices: [Int], to file: inout [UInt8]) -> [Int] {
        indices.map { index in
            let offset = file.count
            file += Array("\(index + 1) 0 obj\n".utf8) + objects[index] + Array("\nendobj\n".utf8)
            return offset
        }
    }

    private func padded(_ number: Int) -> String {
        String(repeating: "0", count: 10 - String(number).count) + String(number)
    }

    /// A document of pages, each with its dictionary entries and its content.
    package static func document(
        _ pages: [(entries: String, content: String)], treeEntries: String = "", title: String? = nil
    ) -> [UInt8] {
        var builder = PDFBuilder()
        let count = pages.count
        // The page tree comes first, because the pages name its number.
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
    package static func page(_ entries: String, _ content: String) -> [UInt8] { document([(entries, content)]) }

    /// Content that fills a rectangle's quarters: red top left, green top right, blue bottom left, yellow bottom right.
    package static func fields(x: Int = 0, y: Int = 0, width: Int, height: Int) -> String {
        let (w, h) = (width / 2, height / 2)
        return """
            1 0 0 rg \(x) \(y + h) \(w) \(h) re f 0 1 0 rg \(x + w) \(y + h) \(w) \(h) re f
            0 0 1 rg \(x) \(y) \(w) \(h) re f 1 1 0 rg \(x + w) \(y) \(w) \(h) re f
            """
    }
}
