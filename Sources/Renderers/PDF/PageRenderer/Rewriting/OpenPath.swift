internal import Formats

/// The current path while a content stream constructs it.
struct OpenPath {
    /// The index of its first operand in the content; `nil` before the first construction operator.
    private(set) var start: Int?
    /// The path in the form's coordinates.
    private(set) var area = PDFPath()
    /// Whether the path becomes a clipping path.
    var isClip = false
    /// Whether only path operators lie between construction and painting: the effect of others would continue after it.
    var standsAlone = true

    /// The path construction operators (ISO 32000-1, table 59).
    static let constructors: Set<String> = ["m", "l", "c", "v", "y", "h", "re"]
    /// The path-painting and clipping path operators (tables 60 and 61).
    static let ends: Set<String> = ["W", "W*", "f", "F", "f*", "B", "B*", "b", "b*", "S", "s", "n"]

    /// Adds a construction operator; `false` if it has the wrong operands.
    ///
    /// - Parameters:
    ///   - matrix: from the operands' coordinates to the form's.
    ///   - index: the operands' index in the content.
    mutating func add(_ name: String, _ operands: [PDFObject], _ matrix: PDFMatrix, at index: Int) -> Bool {
        let numbers = operands.compactMap(\.number)
        guard numbers.count == operands.count, area.add(name, numbers, transformedBy: matrix) else { return false }
        start = start ?? index
        return true
    }
}
