extension PDFBuilder {
    /// A document of one page. Its catalogue (1), tree (2) and page (3) are in an object stream (4), with a
    /// cross-reference stream (5).
    ///
    /// - Parameters:
    ///   - indices: the indices of the three objects in the object stream, as the cross-reference stream states them.
    ///   - fillers: how many other objects come before them there.
    ///   - filter: the object stream's PNG predictor, in rows of four samples of three colours; `nil` for no filter.
    package static func compact(
        pageEntries: String, _ content: String, indices: [Int] = [0, 1, 2], before fillers: Int = 0,
        filter: UInt8? = nil
    ) -> [UInt8] {
        let objects =
            (0..<fillers).map { (100 + $0, "null") } + [
                (1, "<</Type/Catalog/Pages 2 0 R>>"), (2, "<</Type/Pages/Kids[3 0 R]/Count 1>>"),
                (3, "<</Type/Page/Parent 2 0 R/Contents 6 0 R\(pageEntries)>>"),
            ]
        var (numbers, body) = ("", "")
        for (number, object) in objects {
            numbers += "\(number) \(body.utf8.count) "
            body += object + " "
        }
        var file = Array("%PDF-1.5\n".utf8)
        let contentOffset = file.count
        file += "6 0 obj\n<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream\nendobj\n".utf8
        let streamOffset = file.count
        let plain = Array("\(numbers)\(body)".utf8)
        let data = filter.map { plain.predicted(by: $0).stored } ?? plain
        let coding = filter == nil ? "" : "/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors 3/Columns 4>>"
        file +=
            "4 0 obj\n<</Type/ObjStm/N \(objects.count)/First \(numbers.utf8.count)/Length \(data.count)\(coding)>>\n"
            .utf8
        file += Array("stream\n".utf8) + data + "\nendstream\nendobj\n".utf8
        let sectionOffset = file.count
        let rows: [(Int, Int, Int)] =
            [(0, 0, 0)] + indices.map { (2, 4, $0) }
            + [(1, streamOffset, 0), (1, sectionOffset, 0), (1, contentOffset, 0)]
        file += "5 0 obj\n<</Type/XRef/Size 7/W[1 2 1]/Root 1 0 R/Length 28>>\nstream\n".utf8
        for row in rows { file += [UInt8(row.0), UInt8(row.1 / 256), UInt8(row.1 % 256), UInt8(row.2)] }
        return file + "\nendstream\nendobj\nstartxref\n\(sectionOffset)\n%%EOF\n".utf8
    }
}

extension [UInt8] {
    /// Rows of twelve bytes, three a sample, each preceded by the number of the predictor that was applied to it (PNG,
    /// 9.2).
    fileprivate func predicted(by filter: UInt8) -> [UInt8] {
        let (width, sample) = (12, 3)
        let padded = self + repeatElement(32, count: (width - count % width) % width)
        var coded: [UInt8] = []
        for place in padded.indices {
            if place % width == 0 { coded.append(filter) }
            let hasLeft = place % width >= sample
            let a = hasLeft ? Int(padded[place - sample]) : 0
            let b = place >= width ? Int(padded[place - width]) : 0
            let c = hasLeft && place >= width ? Int(padded[place - width - sample]) : 0
            let nearest = [a, b, c].min { abs(a + b - c - $0) < abs(a + b - c - $1) }!
            coded.append(padded[place] &- UInt8([0, a, b, (a + b) / 2, nearest][Int(filter)]))
        }
        return coded
    }

    /// The bytes in zlib's format (RFC 1950), as one uncompressed block.
    fileprivate var stored: [UInt8] {
        var (low, high) = (1, 0)
        for byte in self { (low, high) = ((low + Int(byte)) % 65521, (high + low + Int(byte)) % 65521) }
        let length = UInt16(count)
        let head: [UInt8] = [
            0x78, 0x01, 1, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8),
        ]
        return head + self + [high >> 8, high & 255, low >> 8, low & 255].map { UInt8($0) }
    }
}
