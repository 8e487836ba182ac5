// The same colours as an ICC profile, so that they are applied like an embedded profile.
extension CalibratedColour {
    /// A version 4 profile (ICC.1:2022) with matrix and curves for red, green and blue; gray has three equal channels.
    package var profile: [UInt8] {
        let curve = Self.text("para") + Self.number(0) + [0, 0, 0, 0] + Self.fixed(exponent)
        var tags = [("wtpt", Self.xyz(Self.connectionWhite))]
        for (letter, column) in zip(["r", "g", "b"], primaries.columns ?? []) {
            tags += [("\(letter)XYZ", Self.xyz(column)), ("\(letter)TRC", curve)]
        }
        return Self.profile(tags)
    }

    /// CIE XYZ of D50, the white point of all profiles (7.2.16).
    fileprivate static let connectionWhite = SIMD3(0.9642, 1, 0.8249)

    /// The header (7.2), the tag table (7.3) and the tag data.
    private static func profile(_ tags: [(name: String, data: [UInt8])]) -> [UInt8] {
        var table = number(tags.count)
        var data: [UInt8] = []
        let start = 132 + 12 * tags.count
        for tag in tags {
            table += text(tag.name) + number(start + data.count) + number(tag.data.count)
            data += tag.data
        }
        var header = number(start + data.count) + zeros(4) + number(0x0430_0000)
        header += text("mntr") + text("RGB ") + text("XYZ ")
        // No date; the file's signature; no platform, maker, model; intent 0.
        header += zeros(12) + text("acsp") + zeros(28)
        header += xyz(connectionWhite).dropFirst(8) + zeros(48)
        return header + table + data
    }

    /// XYZType (10.31).
    private static func xyz(_ value: SIMD3<Double>) -> [UInt8] {
        text("XYZ ") + number(0) + fixed(value.x) + fixed(value.y) + fixed(value.z)
    }

    /// s15Fixed16Number (4.6).
    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65536).rounded())) }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func text(_ letters: String) -> [UInt8] { Array(letters.utf8) }

    private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }
}

extension CalibratedColour.Primaries {
    /// CIE XYZ of full red, green and blue, adapted to D50 by Bradford's matrix (ICC.1:2022, annex E); `nil` if the
    /// primaries are collinear or cannot mix to white.
    var columns: [SIMD3<Double>]? {
        let lights = Matrix(red.xyz, green.xyz, blue.xyz)
        guard let shares = lights.solution(for: white.xyz), shares.min() > 0 else { return nil }
        let bradford = Matrix([0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685], [-0.1614, 0.0367, 1.0296])
        let cones = bradford.applied(to: CalibratedColour.connectionWhite) / bradford.applied(to: white.xyz)
        let mixed = [red.xyz * shares.x, green.xyz * shares.y, blue.xyz * shares.z]
        let adapted = mixed.compactMap { bradford.solution(for: bradford.applied(to: $0) * cones) }
        return adapted.count == 3 ? adapted : nil
    }
}

/// A 3 × 3 matrix by columns.
private struct Matrix {
    let first, second, third: SIMD3<Double>

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        (self.first, self.second, self.third) = (first, second, third)
    }

    func applied(to vector: SIMD3<Double>) -> SIMD3<Double> { first * vector.x + second * vector.y + third * vector.z }

    /// The vector that the matrix maps to `vector`, by Cramer's rule; `nil` if it is not unique.
    func solution(for vector: SIMD3<Double>) -> SIMD3<Double>? {
        let volume = Self.volume(first, second, third)
        guard abs(volume) > 1e-6 else { return nil }
        return [
            Self.volume(vector, second, third) / volume, Self.volume(first, vector, third) / volume,
            Self.volume(first, second, vector) / volume,
        ]
    }

    private static func volume(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
        a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) + c.x * (a.y * b.z - a.z * b.y)
    }
}
