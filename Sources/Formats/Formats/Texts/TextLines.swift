/// The lines of a text, without their line ends.
struct TextLines {
    private let text: Bytes
    private var offset = 0

    init(_ text: Bytes) { self.text = text }

    /// The next line; `nil` at the end of the text.
    mutating func next() -> Bytes? {
        guard offset < text.count else { return nil }
        let end = text.firstOffset(of: "\n", in: offset..<text.count)
        let line = text.part(at: offset, count: (end ?? text.count) - offset)
        offset = (end ?? text.count) + 1
        return line.map { $0[$0.count - 1] == 0x0D ? $0.first($0.count - 1) : $0 }
    }
}
