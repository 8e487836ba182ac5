import Media
import PageRenderer
import Testing

/// The search for what is left of a damaged document takes a time that grows with the file, not with its square.
extension PageRendererTests {
    enum Hostile: String, CaseIterable {
        case endlessObjects, overlappingObjects, overlappingStreams, unnamedLengths, emptyBlocks

        /// About 444 KB without an end.
        var file: [UInt8] {
            switch self {
            // The word counts as an object's beginning, and not as another one's end.
            case .endlessObjects: Self.repeating("1 0 objx ")
            case .overlappingObjects: Self.stream(of: 40_000)
            case .overlappingStreams: Self.repeating("7 0 obj<</Type/ObjStm/N 1/First 4>>stream\n9 0 <<>>\n")
            case .unnamedLengths: Self.repeating("7 0 obj<</Type/ObjStm/N 99999/First 400000>>stream\n9 0 <<>>\n")
            case .emptyBlocks:
                Self.repeating("7 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode>>stream\nx\u{1}")
            }
        }

        private static func repeating(_ text: String) -> [UInt8] {
            Array("%PDF-1.5\n".utf8) + Array(repeatElement(Array(text.utf8), count: 444_000 / text.utf8.count).joined())
        }

        /// One stream of so many objects, each of which begins in the one before and has no end.
        private static func stream(of count: Int) -> [UInt8] {
            let heads = (0..<count).map { "\($0 + 10) \($0) " }.joined()
            return Array("%PDF-1.5\n7 0 obj<</Type/ObjStm/N \(count)/First \(heads.utf8.count)>>stream\n\(heads)".utf8)
                + repeatElement(UInt8(ascii: "["), count: count)
        }
    }

    @Test("a hostile file without an end is searched in little time", arguments: Hostile.allCases)
    func hostileRecovery(kind: Hostile) {
        let file = kind.file
        let time = ContinuousClock().measure { _ = RecoveredTrailer.candidates(for: file) }
        // A tenth of a second on a quiet machine.
        #expect(time < .seconds(1.5))
    }
}
