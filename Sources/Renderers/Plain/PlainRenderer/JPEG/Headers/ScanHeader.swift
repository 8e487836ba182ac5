/// A scan header (ITU-T T.81, clause B.2.3).
struct ScanHeader {
    struct Component {
        /// Which component of the frame.
        let index: Int
        let dcTable: Int
        let acTable: Int
    }

    let components: [Component]
    /// The first and the last coefficient of the scan, in zigzag order.
    let first: Int
    let last: Int
    /// In a progressive file: how many low bits earlier scans left out (0 in the first scan of a coefficient), and how many
    /// this one leaves out.
    let high: Int
    let low: Int

    init(_ body: [UInt8], of frame: Frame) throws(Declined) {
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
        (first, last, high, low) = (tail[0], tail[1], tail[2] >> 4, tail[2] & 15)
        guard first <= last, last < 64, low < 14 else { throw Declined("a scan of impossible coefficients") }
    }
}
