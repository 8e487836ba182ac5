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

        mutating func take(_ setting: GraphicsStates.Setting) {
            alpha = setting.alpha ?? alpha
            isBlending = setting.isBlending ?? isBlending
            isMasked = setting.isMasked ?? isMasked
        }
    }

    private static let mostMarks = 64
    private static let mostStates = 64
    private static let longest = 1 << 18

    /// `nil` where there are none to cut, too many, or operators that make no sense.
    init?(in content: [UInt8], _ states: GraphicsStates) {
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
            if path.start != nil, !OpenPath.builders.contains(name), !OpenPath.ends.contains(name) {
                path.standsAlone = false
            }
            switch name {
            case "q": saved.append(state)
            case "Q": state = saved.popLast() ?? State()
            case "cm":
                guard let matrix = try? PDFMatrix(operands) else { return nil }
                state.matrix = matrix.followed(by: state.matrix)
            case "gs": if let setting = operands.last?.name.flatMap({ states.settings[$0] }) { state.take(setting) }
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
            case let builder where OpenPath.builders.contains(builder):
                guard path.add(name, operands, state.matrix, from: start) else { return nil }
            default: break
            }
            operands.removeAll(keepingCapacity: true)
            guard marks.count <= Self.mostMarks, saved.count <= Self.mostStates else { return nil }
        }
        guard scanner.isAtEnd, marks.dropFirst().contains(where: { $0.area != nil }) else { return nil }
    }

    /// The content, with what is painted later and translucently cut out of what was painted before; `nil` where that would
    /// become too long.
    ///
    /// - Parameter box: the form's, beyond which nothing shows.
    func cut(_ content: [UInt8], within box: PDFBox) -> [UInt8]? {
        // With all that shows, by the even-odd rule, an area stands for what is not in it; nor is what it covers twice.
        let everything = PDFPath(box.enlarged)
        var written: [UInt8] = []
        var place = 0
        for (index, mark) in marks.enumerated() {
            let areas = marks[(index + 1)...].compactMap(\.area)
            guard !areas.isEmpty, mark.standsAlone, let back = mark.matrix.inverse,
                let clip = Self.clip(areas, from: everything, in: back)
            else { continue }
            written += content[place..<mark.range.lowerBound]
            written += "\nq \(clip)".utf8
            written += content[mark.range]
            written += " Q\n".utf8
            place = mark.range.upperBound
            guard written.count <= Self.longest else { return nil }
        }
        return place == 0 ? nil : written + content[place...]
    }

    /// `nil` where the numbers would be too large.
    private static func clip(_ areas: [PDFPath], from everything: PDFPath, in matrix: PDFMatrix) -> String? {
        guard let all = everything.text(in: matrix) else { return nil }
        var clip = ""
        for area in areas {
            guard let text = area.text(in: matrix) else { return nil }
            clip += "\(all)\(text)W* n "
        }
        return clip
    }
}

extension PDFBox {
    /// With a tenth more on each side, so that its edges lie where nothing shows.
    fileprivate var enlarged: PDFBox {
        PDFBox([left - width / 10, bottom - height / 10, right + width / 10, top + height / 10])
    }
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

    /// What builds paths (ISO 32000-1, table 59).
    static let builders: Set<String> = ["m", "l", "c", "v", "y", "h", "re"]
    /// What ends them (tables 60 and 61).
    static let ends: Set<String> = ["W", "W*", "f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"]

    /// Adds what an operator says; `false` where its operands are not what it needs.
    mutating func add(_ name: String, _ operands: [PDFPiece], _ matrix: PDFMatrix, from place: Int) -> Bool {
        let numbers = operands.compactMap(\.number)
        guard numbers.count == operands.count, area.add(name, numbers, placedBy: matrix) else { return false }
        start = start ?? place
        return true
    }
}
