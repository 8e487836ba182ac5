internal import Media

/// What a group's content paints, one mark after the other, as far as its own operators tell (ISO 32000-1, annex A).
struct KnockoutMarks {
    private var marks: [Mark] = []

    /// Something that is painted by one operator.
    private struct Mark {
        /// From the first operand of its path, or of its own, to the end of its operator.
        var range: Range<Int>
        var matrix: PDFMatrix
        /// The area that it fills, in the form's own plane; `nil` where it cuts nothing out of others.
        var area: PDFPath?
        /// Whether nothing but the painting happens there, so that it can be clipped by itself.
        var standsAlone = true
    }

    private struct State {
        var matrix = PDFMatrix()
        var alpha = 1.0
        var isBlending = false
        var isMasked = false
        var isClipped = false

        /// Whether what is painted over others lets them through or blends with them.
        var isTranslucent: Bool { alpha < 1 || isBlending || isMasked }

        /// Takes over what a dictionary of the graphics state says; what it does not name stays.
        mutating func set(
            _ name: PDFPiece?, _ resources: PDFDictionary, _ objects: inout PDFObjects
        ) throws(Failure) {
            let states = try objects.resolved(resources["/ExtGState"])?.dictionary
            guard let name = name?.name, let entries = try objects.resolved(states?[name])?.dictionary else { return }
            if let alpha = try objects.resolved(entries["/ca"])?.number { self.alpha = alpha }
            if let mode = try objects.resolved(entries["/BM"]) { isBlending = mode.name != "/Normal" }
            if let mask = try objects.resolved(entries["/SMask"]) { isMasked = mask.name == nil }
        }
    }

    private static let mostMarks = 64
    private static let mostStates = 64
    private static let longest = 1 << 18

    /// `nil` where there are none to cut, or too many.
    init?(in content: [UInt8], _ resources: PDFDictionary, _ objects: inout PDFObjects) throws(Failure) {
        guard content.count <= Self.longest else { return nil }
        var scanner = PDFScanner(content[...])
        var operands: [PDFPiece] = []
        var state = State()
        var saved: [State] = []
        var path = OpenPath()
        while let piece = scanner.value() {
            guard piece.isOperator else {
                operands.append(piece)
                continue
            }
            let start = operands.first?.bytes.startIndex ?? piece.bytes.startIndex
            let name = String(decoding: piece.bytes, as: UTF8.self)
            if path.start != nil, !OpenPath.operators.contains(name) { path.standsAlone = false }
            switch name {
            case "q": saved.append(state)
            case "Q": state = saved.popLast() ?? State()
            case "cm":
                guard let matrix = try? PDFMatrix(operands) else { return nil }
                state.matrix = matrix.followed(by: state.matrix)
            case "gs": try state.set(operands.last, resources, &objects)
            case "W", "W*": path.isClip = true
            case "ID": scanner.skipInlineData()
            case "f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n":
                let end = piece.bytes.endIndex
                if let first = path.start, !path.isClip, name != "n" {
                    let fills = !["S", "s"].contains(name) && state.isTranslucent && !state.isClipped
                    let area = fills ? path.area : nil
                    marks.append(
                        Mark(range: first..<end, matrix: state.matrix, area: area, standsAlone: path.standsAlone))
                }
                if path.isClip { state.isClipped = true }
                path = OpenPath()
            case "Do", "sh":
                marks.append(Mark(range: start..<piece.bytes.endIndex, matrix: state.matrix, area: nil))
            default: path.add(name, operands, state.matrix, from: start)
            }
            operands.removeAll(keepingCapacity: true)
            guard marks.count <= Self.mostMarks, saved.count <= Self.mostStates else { return nil }
        }
        guard scanner.isAtEnd, marks.dropFirst().contains(where: { $0.area != nil }) else { return nil }
    }

    /// The content, with what is painted later and translucently cut out of what was painted before.
    func cut(_ content: [UInt8]) -> [UInt8] {
        var written: [UInt8] = []
        var place = 0
        for (index, mark) in marks.enumerated() {
            let areas = marks[(index + 1)...].compactMap(\.area)
            guard !areas.isEmpty, mark.standsAlone, let back = mark.matrix.inverse else { continue }
            written += content[place..<mark.range.lowerBound]
            written += "\nq ".utf8
            for area in areas { written += "\(Self.everything.text(in: back))\(area.text(in: back))W* n ".utf8 }
            written += content[mark.range]
            written += " Q\n".utf8
            place = mark.range.upperBound
            if written.count > Self.longest { return content }
        }
        return written + content[place...]
    }

    /// An area around all that a page can have: with it, by the even-odd rule, an area stands for all that is not in it.
    private static let everything = PDFPath(x: -32_000, y: -32_000, width: 64_000, height: 64_000)
}

/// A path while it is built.
private struct OpenPath {
    /// Where its first operand lies in the content.
    private(set) var start: Int?
    /// In the plane of its form.
    private(set) var area = PDFPath()
    var isClip = false
    /// Whether nothing is said in between that goes on to hold behind it.
    var standsAlone = true

    /// What builds paths, and what ends them (ISO 32000-1, tables 59 to 61).
    static let operators: Set<String> = [
        "m", "l", "c", "v", "y", "h", "re", "W", "W*", "f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n",
    ]

    /// Adds what an operator says, if it is one that builds paths.
    mutating func add(_ name: String, _ operands: [PDFPiece], _ matrix: PDFMatrix, from place: Int) {
        guard area.add(name, operands.compactMap(\.number), placedBy: matrix) else { return }
        start = start ?? place
    }
}
