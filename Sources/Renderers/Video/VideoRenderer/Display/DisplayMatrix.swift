package import Media

/// A video's transformation for display (ISO/IEC 14496-12, 8.3.2), which maps (x, y) to (a·x + c·y + …, b·x + d·y + …).
package struct DisplayMatrix: Equatable, Sendable {
    private let a: Int32
    private let b: Int32
    private let c: Int32
    private let d: Int32

    /// The four coefficients in 16.16 fixed point, of which only the signs and ratios matter.
    package init(a: Int32, b: Int32, c: Int32, d: Int32) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
    }

    /// Reads FFmpeg's side data: a b u, c d v, x y w, each 32 bits in the machine's byte order; `nil` if these are
    /// incomplete.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 36 else { return nil }
        func number(_ index: Int) -> Int32 { bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self) }
        self.init(a: number(0), b: number(1), c: number(3), d: number(4))
    }

    /// The nearest of EXIF's eight orientations.
    package var orientation: Orientation {
        func size(_ one: Int32, _ other: Int32) -> Int64 { Int64(one).magnitudeValue + Int64(other).magnitudeValue }
        if size(a, d) >= size(b, c) {
            switch (a < 0, d < 0) {
            case (false, false): return .upright
            case (true, false): return .mirrored
            case (true, true): return .halfTurn
            case (false, true): return .flipped
            }
        }
        switch (b < 0, c < 0) {
        case (false, false): return .transposed
        case (false, true): return .quarterTurn
        case (true, true): return .transversed
        case (true, false): return .threeQuarterTurn
        }
    }
}

extension Int64 {
    fileprivate var magnitudeValue: Int64 { self < 0 ? -self : self }
}
