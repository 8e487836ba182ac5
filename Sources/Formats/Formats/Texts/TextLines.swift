/// Lines of a text, without their ends.
struct TextLines {
    private let text: Bytes
    private var offset = 0

    /// Whether the last line that was taken had an end.
    private(set) var isClosed = true

    init(_ text: Bytes) { self.text = text }

    mutating func next() -> Bytes? {
        guard offset < text.count else { return nil }
        let end = text.firstOffset(of: "\n", in: offset..<text.count)
        isClosed = end != nil
        let line = text.part(at: offset, count: (end ?? text.count) - offset)
        offset = (end ?? text.count) + 1
        return line.map { $0[$0.count - 1] == 0x0D ? $0.first($0.count - 1) : $0 }
    }
}
