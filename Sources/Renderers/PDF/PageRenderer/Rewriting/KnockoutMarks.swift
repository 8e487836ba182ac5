internal import Formats
internal import Media

/// The marks that a group's content paints with its own operators, in order (ISO 32000-1, annex A).
struct KnockoutMarks {
    private var marks: [Mark] = []

    /// The work of one painting operator.
    private struct Mark {
        /// From the first operand of the path, or of the operator itself, to the end of the operator.
        var range: Range<Int>
        /// From the operands' coordinates to the form's.
        var matrix: PDFMatrix
        /// The area that the mark knocks out of earlier marks, in the form's coordinates; `nil` for none.
        var area: PDFPath?
        /// Whether `range` only paints, so that a clip may surround it.
        var standsAlone = true
    }

    private struct GraphicsState {
        var matrix = PDFMatrix()
        var alpha = 1.0
        var isBlending = false
        var isMasked = false
        var isClipped = false

        /// Whether marks beneath a mark show through it or blend with it.
        var isTranslucent: Bool { alpha < 1 || isBlending || isMasked }

        mutating func set(_ parameters: GraphicsStates.Parameters) {
            alpha = parameters.alpha ?? alpha
            isBlending = parameters.isBlending ?? isBlending
            isMasked = parameters.isMasked ?? isMasked
        }
    }

    private static let maximumMarkCount = 64
    private static let maximumStateDepth = 64
    private static let maximumContentLength = 1 << 18

    /// `nil` if no mark knocks out an earlier mark, if there are too many marks, or if the content is damaged.
    init?(in content: [UInt8], _ states: GraphicsStates) {
        guard content.count <= Self.maximumContentLength else { return nil }
        var scanner = PDFScanner(content[...])
        var operands: [PDFObject] = []
        var state = GraphicsState()
        var saved: [GraphicsState] = []
        var path = OpenPath()
        while let object = scanner.nextObject() {
            guard object.isOperator else {
                operands.append(object)
                continue
            }
            let start = operands.first?.bytes.startIndex ?? object.bytes.startIndex
            let name = String(decoding: object.bytes, as: UTF8.self)
            if path.start != nil, !OpenPath.constructors.contains(name), !OpenPath.ends.contains(name) {
                path.standsAlone = false
            }
            switch name {
            case "q": saved.append(state)
            case "Q": state = saved.popLast() ?? GraphicsState()
            case "cm":
                guard let matrix = PDFMatrix(operands) else { return nil }
                state.matrix = matrix.followed(by: state.matrix)
            case "gs":
                if let parameters = operands.last?.name.flatMap({ states.parameters[$0] }) { state.set(parameters) }
            case "W", "W*": path.isClip = true
            case "ID": scanner.skipInlineImageData()
            case "f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n":
                addMark(of: path, paintedBy: name, upTo: object.bytes.endIndex, state)
                if path.isClip { state.isClipped = true }
                path = OpenPath()
            case "Do", "sh":
                marks.append(Mark(range: start..<object.bytes.endIndex, matrix: state.matrix, area: nil))
            case let constructor where OpenPath.constructors.contains(constructor):
                guard path.add(name, operands, state.matrix, at: start) else { return nil }
            default: break
            }
            operands.removeAll(keepingCapacity: true)
            guard marks.count <= Self.maximumMarkCount, saved.count <= Self.maximumStateDepth else { return nil }
        }
        guard scanner.isAtEnd, marks.dropFirst().contains(where: { $0.area != nil }) else { return nil }
    }

    private mutating func addMark(
        of path: OpenPath, paintedBy name: String, upTo end: Int, _ state: GraphicsState
    ) {
        guard let start = path.start, !path.isClip, name != "n" else { return }
        let knocksOut = !["S", "s"].contains(name) && state.isTranslucent && !state.isClipped
        marks.append(
            Mark(
                range: start..<end, matrix: state.matrix, area: knocksOut ? path.area : nil,
                standsAlone: path.standsAlone))
    }

    /// The content with each knocked-out area clipped out of the marks before it; `nil` if nothing is clipped or the
    /// content would be too long.
    ///
    /// - Parameter box: the form's `/BBox`, outside which nothing shows.
    func clipped(_ content: [UInt8], within box: PDFRectangle) -> [UInt8]? {
        // Even-odd clipping with the enlarged box inverts an area; in places that an area covers twice, the mark stays.
        let everything = PDFPath(box.enlarged)
        var written: [UInt8] = []
        var copied = 0
        for (index, mark) in marks.enumerated() {
            let areas = marks[(index + 1)...].compactMap(\.area)
            guard !areas.isEmpty, mark.standsAlone, let inverse = mark.matrix.inverse,
                let clip = Self.clip(areas, from: everything, in: inverse)
            else { continue }
            written += content[copied..<mark.range.lowerBound]
            written += "\nq \(clip)".utf8
            written += content[mark.range]
            written += " Q\n".utf8
            copied = mark.range.upperBound
            guard written.count <= Self.maximumContentLength else { return nil }
        }
        return copied == 0 ? nil : written + content[copied...]
    }

    /// Operators that clip areas out; `nil` if their numbers would be too large.
    private static func clip(_ areas: [PDFPath], from everything: PDFPath, in matrix: PDFMatrix) -> String? {
        guard let all = everything.content(in: matrix) else { return nil }
        var clip = ""
        for area in areas {
            guard let content = area.content(in: matrix) else { return nil }
            clip += "\(all)\(content)W* n "
        }
        return clip
    }
}

extension PDFRectangle {
    /// The rectangle with a tenth more on each side, so that its edges do not show.
    fileprivate var enlarged: PDFRectangle {
        PDFRectangle([left - width / 10, bottom - height / 10, right + width / 10, top + height / 10])
    }
}
