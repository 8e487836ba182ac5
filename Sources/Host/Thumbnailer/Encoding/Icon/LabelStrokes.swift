internal import Glibc

/// Capitals and digits as lines with round ends, for file-type icons.
///
/// Icons need only these characters, and the host links no font library. The strokes are sharp at every size.
enum LabelStrokes {
    /// The size of a letter in its own units.
    private static let cellWidth: Float = 4
    private static let cellHeight: Float = 6
    private static let gap: Float = 1.9

    /// The width of a text at a height of 1.
    static func width(of text: String) -> Float {
        let letters = glyphs(of: text)
        return (letters.map(\.width).reduce(0, +) + gap * Float(max(0, letters.count - 1))) / cellHeight
    }

    /// The strokes of a text around its centre.
    ///
    /// - Parameters:
    ///   - height: the height of a capital, in pixels.
    ///   - weight: half of the line width, relative to the height.
    static func strokes(of text: String, centre: SIMD2<Float>, height: Float, weight: Float) -> [Stroke] {
        let scale = height / cellHeight
        var left = centre.x - width(of: text) * height / 2
        let top = centre.y - height / 2
        var strokes: [Stroke] = []
        for letter in glyphs(of: text) {
            for line in letter.lines {
                strokes.append(
                    Stroke(points: line.map { SIMD2(left, top) + $0 * scale }, radius: max(weight * height, 0.4)))
            }
            left += (letter.width + gap) * scale
        }
        return strokes
    }

    private static func glyphs(of text: String) -> [Glyph] { text.compactMap { glyphs[$0] } }

    private struct Glyph {
        let lines: [[SIMD2<Float>]]
        var width: Float = cellWidth
    }

    private typealias Line = [SIMD2<Float>]

    private static func line(_ coordinates: Float...) -> Line {
        stride(from: 0, to: coordinates.count, by: 2).map { SIMD2(coordinates[$0], coordinates[$0 + 1]) }
    }

    /// An arc of an ellipse; degrees from the right, clockwise on the screen (−90 is the top).
    private static func arc(
        _ x: Float, _ y: Float, _ radiusX: Float, _ radiusY: Float, _ from: Float, _ to: Float
    ) -> Line {
        // With steps of 7.5 degrees, the polygon deviates from the curve by a thousandth of the letter's height.
        let count = max(4, Int(abs(to - from) / 7.5))
        return (0...count).map { step in
            let angle = (from + (to - from) * Float(step) / Float(count)) * .pi / 180
            return SIMD2(x + radiusX * cosf(angle), y + radiusY * sinf(angle))
        }
    }

    private static let glyphs: [Character: Glyph] = [
        "A": Glyph(lines: [line(0, 6, 2, 0, 4, 6), line(0.7, 4, 3.3, 4)]),
        "B": Glyph(lines: [
            line(2.3, 2.9, 0, 2.9, 0, 0) + arc(2.3, 1.45, 1.35, 1.45, -90, 90),
            line(0, 2.9, 0, 6) + arc(2.4, 4.45, 1.6, 1.55, 90, -90),
        ]),
        "C": Glyph(lines: [arc(2.1, 3, 2.1, 3, -48, -312)]),
        "D": Glyph(lines: [line(1.2, 6, 0, 6, 0, 0) + arc(1.2, 3, 2.8, 3, -90, 90)]),
        "E": Glyph(lines: [line(3.6, 0, 0, 0, 0, 6, 3.6, 6), line(0, 2.9, 3, 2.9)], width: 3.6),
        "F": Glyph(lines: [line(3.6, 0, 0, 0, 0, 6), line(0, 2.9, 3, 2.9)], width: 3.6),
        "G": Glyph(lines: [arc(2.1, 3, 2.1, 3, -48, -360) + line(2.5, 3)]),
        "H": Glyph(lines: [line(0, 0, 0, 6), line(4, 0, 4, 6), line(0, 2.9, 4, 2.9)]),
        "I": Glyph(lines: [line(0.3, 0, 0.3, 6)], width: 0.6),
        "J": Glyph(lines: [line(3, 0, 3, 4.4) + arc(1.5, 4.4, 1.5, 1.6, 0, 160)], width: 3),
        "K": Glyph(lines: [line(0, 0, 0, 6), line(3.7, 0, 0, 3.7), line(1.3, 2.6, 3.9, 6)]),
        "L": Glyph(lines: [line(0, 0, 0, 6, 3.4, 6)], width: 3.4),
        "M": Glyph(lines: [line(0, 6, 0, 0, 2.4, 3.6, 4.8, 0, 4.8, 6)], width: 4.8),
        "N": Glyph(lines: [line(0, 6, 0, 0, 4, 6, 4, 0)]),
        "O": Glyph(lines: [arc(2.2, 3, 2.2, 3, 0, 360)], width: 4.4),
        "P": Glyph(lines: [line(0, 6, 0, 0) + arc(2.3, 1.7, 1.6, 1.7, -90, 90) + line(0, 3.4)]),
        "Q": Glyph(lines: [arc(2.2, 3, 2.2, 3, 0, 360), line(2.8, 4.4, 4.2, 6.2)], width: 4.4),
        "R": Glyph(lines: [line(0, 6, 0, 0) + arc(2.3, 1.6, 1.6, 1.6, -90, 90) + line(0, 3.2), line(2, 3.2, 4, 6)]),
        "S": Glyph(lines: [arc(2, 1.55, 1.75, 1.55, -25, -270) + arc(2, 4.5, 1.9, 1.5, -90, 155)]),
        "T": Glyph(lines: [line(0, 0, 4, 0), line(2, 0, 2, 6)]),
        "U": Glyph(lines: [line(4, 0, 4, 4) + arc(2, 4, 2, 2, 0, 180) + line(0, 0)]),
        "V": Glyph(lines: [line(0, 0, 2, 6, 4, 0)]),
        "W": Glyph(lines: [line(0, 0, 1.3, 6, 2.7, 1, 4.1, 6, 5.4, 0)], width: 5.4),
        "X": Glyph(lines: [line(0, 0, 4, 6), line(4, 0, 0, 6)]),
        "Y": Glyph(lines: [line(0, 0, 2, 3.1, 4, 0), line(2, 3.1, 2, 6)]),
        "Z": Glyph(lines: [line(0, 0, 4, 0, 0, 6, 4, 6)]),
        "0": Glyph(lines: [arc(1.9, 3, 1.9, 3, 0, 360)], width: 3.8),
        "1": Glyph(lines: [line(0, 1.2, 1.6, 0, 1.6, 6)], width: 1.8),
        "2": Glyph(lines: [arc(1.9, 1.7, 1.8, 1.7, -165, 25) + line(0, 6, 3.8, 6)], width: 3.8),
        "3": Glyph(lines: [arc(1.8, 1.45, 1.6, 1.45, -150, 90) + arc(1.8, 4.45, 1.9, 1.55, -90, 150)], width: 3.7),
        "4": Glyph(lines: [line(2.9, 6, 2.9, 0, 0, 4.2, 4, 4.2)]),
        "5": Glyph(lines: [line(3.5, 0, 0.5, 0, 0.3, 2.7) + arc(1.8, 4, 1.9, 2, -130, 140)], width: 3.7),
        "6": Glyph(lines: [arc(1.9, 4.1, 1.9, 1.9, 0, 360), arc(3, 4.1, 3, 4.1, -90, -180)], width: 3.8),
        "7": Glyph(lines: [line(0, 0, 3.8, 0, 1.3, 6)], width: 3.8),
        "8": Glyph(lines: [arc(1.9, 1.45, 1.6, 1.45, 0, 360), arc(1.9, 4.45, 1.9, 1.55, 0, 360)], width: 3.8),
        "9": Glyph(lines: [arc(1.9, 1.9, 1.9, 1.9, 0, 360), arc(0.8, 1.9, 3, 4.1, 0, 90)], width: 3.8),
    ]
}
