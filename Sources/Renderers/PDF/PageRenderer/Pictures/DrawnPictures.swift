internal import Glibc
internal import Media

/// The pictures that a page's content draws, and how large (ISO 32000-1, 8.9 and 8.10).
struct DrawnPictures {
    /// By the picture's object: how it is drawn, in units of the page.
    private(set) var drawings: [Int: Drawing] = [:]
    /// The dictionaries of these pictures, and where their data lie.
    private(set) var streams: [Int: Stream] = [:]
    var objects: PDFObjects

    typealias Stream = (entries: PDFDictionary, data: Range<Int64>)

    struct Drawing {
        /// The largest that it is drawn.
        var width: Double
        var height: Double
        /// What it covers, if it is drawn once and its sides are the page's or at right angles to them.
        var upright: (box: PDFBox, isOnItsSide: Bool)?
    }

    private var operatorCount = 0

    /// Beyond these a page is no scan, and finding its pictures costs more than it saves.
    private static let mostOperators = 20_000
    private static let deepestForm = 4
    private static let mostStates = 256
    private static let mostOperands = 1024
    private static let mostNames = 64

    /// - Parameter leastPixelCount: of pictures that count.
    init(of page: PDFPageTree.Page, in objects: PDFObjects, leastPixelCount: Int) throws(NotPlain) {
        self.objects = objects
        let content = try PageContent(of: page, in: &self.objects)
        guard try hasPictures(content.resources, leastPixelCount, depth: 0) else { return }
        try read(try content.bytes(in: self.objects), content.resources, PDFMatrix(), depth: 0)
        drawings = drawings.filter { Self.pixelCount(streams[$0.key]!.entries) >= leastPixelCount }
    }

    /// Whether the resources, or a form's, name a picture that counts.
    private mutating func hasPictures(
        _ resources: PDFDictionary, _ leastPixelCount: Int, depth: Int
    ) throws(NotPlain) -> Bool {
        let named = try objects.plain(resources["/XObject"])?.dictionary?.entries ?? []
        guard named.count <= Self.mostNames else { return false }
        for entry in named {
            guard let number = entry.value.reference, let stream = try stream(number) else { continue }
            if Self.pixelCount(stream.entries) >= leastPixelCount { return true }
            guard stream.entries["/Subtype"]?.name == "/Form", depth < Self.deepestForm,
                let inner = try objects.plain(stream.entries["/Resources"])?.dictionary
            else { continue }
            if try hasPictures(inner, leastPixelCount, depth: depth + 1) { return true }
        }
        return false
    }

    private func stream(_ number: Int) throws(NotPlain) -> Stream? {
        try NotPlain.unless { () throws(Failure) in try objects.stream(number) }
    }

    /// 0 for what is no picture.
    private static func pixelCount(_ entries: PDFDictionary) -> Int {
        guard entries["/Subtype"]?.name == "/Image", let width = entries["/Width"]?.integer,
            let height = entries["/Height"]?.integer, (1...1 << 20).contains(width), (1...1 << 20).contains(height)
        else { return 0 }
        return width * height
    }

    private mutating func read(
        _ content: [UInt8], _ resources: PDFDictionary, _ start: PDFMatrix, depth: Int
    ) throws(NotPlain) {
        var scanner = PDFScanner(content[...])
        var operands: [PDFPiece] = []
        var matrix = start
        var saved: [PDFMatrix] = []
        while let piece = scanner.value() {
            guard piece.isOperator else {
                operands.append(piece)
                guard operands.count <= Self.mostOperands else { throw NotPlain("operands without end") }
                continue
            }
            operatorCount += 1
            guard operatorCount <= Self.mostOperators else { throw NotPlain("a long page") }
            switch String(decoding: piece.bytes, as: UTF8.self) {
            case "q":
                saved.append(matrix)
                guard saved.count <= Self.mostStates else { throw NotPlain("deep states") }
            case "Q": matrix = saved.popLast() ?? start
            case "cm": matrix = try PDFMatrix(operands).followed(by: matrix)
            case "ID": scanner.skipInlineData()
            case "Do":
                if let name = operands.last?.name { try draw(name, resources, matrix, depth: depth) }
            default: break
            }
            operands.removeAll(keepingCapacity: true)
        }
        guard scanner.isAtEnd else { throw NotPlain("content that breaks off") }
    }

    private mutating func draw(
        _ name: String, _ resources: PDFDictionary, _ matrix: PDFMatrix, depth: Int
    ) throws(NotPlain) {
        // A name that stands for nothing draws nothing.
        guard let number = try objects.plain(resources["/XObject"])?.dictionary?[name]?.reference,
            let stream = try stream(number)
        else { return }
        switch stream.entries["/Subtype"]?.name {
        case "/Image":
            streams[number] = stream
            let (width, height) = (hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d))
            guard width.isFinite, height.isFinite else { throw NotPlain("a picture beyond all measure") }
            drawings[number] =
                drawings[number].map { known in
                    Drawing(width: max(known.width, width), height: max(known.height, height), upright: nil)
                } ?? Drawing(width: width, height: height, upright: matrix.upright)
        case "/Form":
            guard depth < Self.deepestForm else { throw NotPlain("forms within forms") }
            let own = try objects.plain(stream.entries["/Matrix"])?.elements
            let inner = try objects.plain(stream.entries["/Resources"])?.dictionary ?? resources
            guard let content = try NotPlain.unless({ () throws(Failure) in try objects.content(number) }) else {
                throw NotPlain("a form that is long, or packed in another way than by Flate")
            }
            let placed = try own.map { elements throws(NotPlain) in try PDFMatrix(elements).followed(by: matrix) }
            try read(content, inner, placed ?? matrix, depth: depth + 1)
        default: break
        }
    }
}
