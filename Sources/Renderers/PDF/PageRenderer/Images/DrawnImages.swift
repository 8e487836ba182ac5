internal import Formats
internal import Glibc
internal import Media

/// The image XObjects that a page's content draws, and their sizes on the page (ISO 32000-1, 8.9 and 8.10).
struct DrawnImages {
    /// The places where the images are drawn, by object number.
    private(set) var placements: [Int: Placement] = [:]
    /// The dictionaries of these images, and the offsets of their encoded data.
    private(set) var streams: [Int: Stream] = [:]
    /// The document's objects, with the object stream that was decoded last.
    var objects: IndirectObjects

    typealias Stream = (entries: PDFDictionary, data: Range<Int64>)

    /// The place where an image is drawn, in units of the page.
    struct Placement {
        /// The largest width and height of all its drawings.
        var width: Double
        var height: Double
        /// The rectangle that the image covers, and whether its sides are swapped; `nil` for an image that is drawn
        /// twice, or whose sides are not parallel to the page's sides.
        var upright: (rectangle: PDFRectangle, isOnItsSide: Bool)?
    }

    private var operatorCount = 0

    /// Limits on the search: a page beyond them is not a scan, and the search would cost more than smaller images save.
    private static let maximumOperatorCount = 20_000
    private static let maximumFormDepth = 4
    private static let maximumStateDepth = 256
    private static let maximumOperandCount = 1024
    private static let maximumNameCount = 64

    /// - Parameter leastPixelCount: smaller images are left out.
    init(of page: PageTree.Page, in objects: IndirectObjects, leastPixelCount: Int) throws(NotReducible) {
        self.objects = objects
        let content = try PageContent(of: page, in: &self.objects)
        guard try hasImages(content.resources, leastPixelCount, depth: 0) else { return }
        try read(try content.bytes(in: self.objects), content.resources, PDFMatrix(), depth: 0)
        placements = placements.filter { Self.pixelCount(streams[$0.key]!.entries) >= leastPixelCount }
    }

    /// Whether the resources, or those of a form, name a large image.
    private mutating func hasImages(
        _ resources: PDFDictionary, _ leastPixelCount: Int, depth: Int
    ) throws(NotReducible) -> Bool {
        let named = try objects.resolvedForReduction(resources["/XObject"])?.dictionary?.entries ?? []
        guard named.count <= Self.maximumNameCount else { return false }
        for entry in named {
            guard let number = entry.value.reference, let stream = try stream(number) else { continue }
            if Self.pixelCount(stream.entries) >= leastPixelCount { return true }
            guard stream.entries["/Subtype"]?.name == "/Form", depth < Self.maximumFormDepth,
                let inner = try objects.resolvedForReduction(stream.entries["/Resources"])?.dictionary
            else { continue }
            if try hasImages(inner, leastPixelCount, depth: depth + 1) { return true }
        }
        return false
    }

    private func stream(_ number: Int) throws(NotReducible) -> Stream? {
        try NotReducible.unless { () throws(Failure) in try objects.stream(number) }
    }

    /// The number of pixels of an image; 0 for other objects.
    private static func pixelCount(_ entries: PDFDictionary) -> Int {
        guard entries["/Subtype"]?.name == "/Image", let width = entries["/Width"]?.integer,
            let height = entries["/Height"]?.integer, (1...1 << 20).contains(width), (1...1 << 20).contains(height)
        else { return 0 }
        return width * height
    }

    /// Reads the content of a page or form.
    ///
    /// - Parameter start: the current transformation matrix at the beginning of the content.
    private mutating func read(
        _ content: [UInt8], _ resources: PDFDictionary, _ start: PDFMatrix, depth: Int
    ) throws(NotReducible) {
        var scanner = PDFScanner(content[...])
        var operands: [PDFObject] = []
        var matrix = start
        var saved: [PDFMatrix] = []
        while let object = scanner.nextObject() {
            guard object.isOperator else {
                operands.append(object)
                guard operands.count <= Self.maximumOperandCount else { throw NotReducible("too many operands") }
                continue
            }
            operatorCount += 1
            guard operatorCount <= Self.maximumOperatorCount else { throw NotReducible("too many operators") }
            switch String(decoding: object.bytes, as: UTF8.self) {
            case "q":
                saved.append(matrix)
                guard saved.count <= Self.maximumStateDepth else { throw NotReducible("too many graphics states") }
            case "Q": matrix = saved.popLast() ?? start
            case "cm": matrix = try Self.matrix(operands).followed(by: matrix)
            case "ID": scanner.skipInlineImageData()
            case "Do":
                if let name = operands.last?.name { try draw(name, resources, matrix, depth: depth) }
            default: break
            }
            operands.removeAll(keepingCapacity: true)
        }
        guard scanner.isAtEnd else { throw NotReducible("damaged content") }
    }

    private static func matrix(_ operands: [PDFObject]) throws(NotReducible) -> PDFMatrix {
        guard let matrix = PDFMatrix(operands) else { throw NotReducible("a damaged matrix") }
        return matrix
    }

    /// Draws the XObject of a name; a missing XObject leaves no marks.
    private mutating func draw(
        _ name: String, _ resources: PDFDictionary, _ matrix: PDFMatrix, depth: Int
    ) throws(NotReducible) {
        guard let number = try objects.resolvedForReduction(resources["/XObject"])?.dictionary?[name]?.reference,
            let stream = try stream(number)
        else { return }
        switch stream.entries["/Subtype"]?.name {
        case "/Image":
            streams[number] = stream
            let (width, height) = (hypot(matrix.a, matrix.b), hypot(matrix.c, matrix.d))
            guard width.isFinite, height.isFinite else { throw NotReducible("an image of infinite size") }
            placements[number] =
                placements[number].map { known in
                    Placement(width: max(known.width, width), height: max(known.height, height), upright: nil)
                } ?? Placement(width: width, height: height, upright: matrix.upright)
        case "/Form": try drawForm(number, stream, resources, matrix, depth: depth)
        default: break
        }
    }

    private mutating func drawForm(
        _ number: Int, _ stream: Stream, _ resources: PDFDictionary, _ matrix: PDFMatrix, depth: Int
    ) throws(NotReducible) {
        guard depth < Self.maximumFormDepth else { throw NotReducible("too deeply nested forms") }
        let own = try objects.resolvedForReduction(stream.entries["/Matrix"])?.elements
        let inner = try objects.resolvedForReduction(stream.entries["/Resources"])?.dictionary ?? resources
        guard let content = try NotReducible.unless({ () throws(Failure) in try objects.decodedData(ofStream: number) })
        else {
            throw NotReducible("a form that is long, or has another filter than Flate")
        }
        let placed = try own.map { elements throws(NotReducible) in try Self.matrix(elements).followed(by: matrix) }
        try read(content, inner, placed ?? matrix, depth: depth + 1)
    }
}
