/// The lowest coefficients of a progressive file while its scans are read, with the nonzero history of all
/// coefficients.
struct ProgressiveCoefficients {
    var lowest: LowFrequencyCoefficients
    /// For each block, in the order of `lowest`, a bit for each coefficient in zigzag order: whether earlier scans made
    /// it nonzero (ITU-T T.81, clause G.1.2.3).
    var nonzeroHistory: [UInt64]

    init(_ coefficients: LowFrequencyCoefficients) {
        lowest = coefficients
        nonzeroHistory = Array(repeating: 0, count: coefficients.grids.reduce(0) { $0 + $1.across * $1.down })
    }

    /// The index in `nonzeroHistory` of a component's first block.
    static func start(of component: Int, in coefficients: LowFrequencyCoefficients) -> Int {
        coefficients.grids[..<component].reduce(0) { $0 + $1.across * $1.down }
    }
}
