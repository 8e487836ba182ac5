/// A scan header (ITU-T T.81, clause B.2.3).
struct ScanHeader {
    /// A component of the scan, and the Huffman tables that code it.
    struct Component {
        /// Its index among the frame's components.
        let index: Int
        let dcTable: Int
        let acTable: Int
    }

    let components: [Component]
    /// Spectral selection, Ss and Se: the scan's first and last coefficient, in zigzag order.
    let spectralStart: Int
    let spectralEnd: Int
    /// Successive approximation, Ah and Al: the number of low bits of its coefficients that earlier scans left out (0
    /// in the first scan of a coefficient), and the number that this scan leaves out.
    let approximationHigh: Int
    let approximationLow: Int

    init(_ body: [UInt8], of frame: JPEGFrame) throws(Declined) {
        let count = Int(body.first ?? 0)
        guard (1...3).contains(count), body.count == 4 + 2 * count else { throw Declined("a scan header") }
        var components: [Component] = []
        for entry in 0..<count {
            let identifier = body[1 + 2 * entry]
            let tables = body[2 + 2 * entry]
            guard let index = frame.components.firstIndex(where: { $0.identifier == identifier }),
                !components.contains(where: { $0.index == index }), tables >> 4 < 4, tables & 15 < 4
            else { throw Declined("a scan of unknown components") }
            components.append(Component(index: index, dcTable: Int(tables >> 4), acTable: Int(tables & 15)))
        }
        self.components = components
        let tail = body.suffix(3).map(Int.init)
        (spectralStart, spectralEnd) = (tail[0], tail[1])
        (approximationHigh, approximationLow) = (tail[2] >> 4, tail[2] & 15)
        guard spectralStart <= spectralEnd, spectralEnd < 64, approximationLow < 14 else {
            throw Declined("a scan of impossible coefficients")
        }
    }
}
