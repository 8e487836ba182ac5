internal import Media

/// Recognises MPEG program and transport streams (ISO/IEC 13818-1), and MPEG-1 and MPEG-2 elementary video streams.
enum MPEGStream: ContentReader {
    static func finding(in source: BoundedSource) -> Finding? {
        if source.head.has([0, 0, 1, 0xBA]) || source.head.has([0, 0, 1, 0xB3]) { return Finding("video/mpeg") }
        return isTransportStream(source.head) ? Finding("video/mp2t") : nil
    }

    /// Packets of 188 bytes, of 192 with a leading time code (Blu-ray), or of 204 with trailing parity (DVB).
    private static func isTransportStream(_ head: Bytes) -> Bool {
        if (0...4).contains(where: { hasPackets(head, from: $0, count: 5) }) { return true }
        // A recording may begin within a packet or after junk: proof then requires more packets.
        guard head.count > 30 * 188 else { return false }
        return (5..<4096).contains { hasPackets(head, from: $0, count: 25) }
    }

    private static func hasPackets(_ head: Bytes, from start: Int, count: Int) -> Bool {
        guard isPacket(head, at: start) else { return false }
        return [188, 192, 204].contains { size in
            // A short file needs only two packets.
            let complete = (head.count - start) / size
            return complete >= 2 && (1..<min(count, complete)).allSatisfy { isPacket(head, at: start + $0 * size) }
        }
    }

    /// The sync byte, no transport error, and an adaptation field or a payload (2.4.3.2).
    private static func isPacket(_ head: Bytes, at offset: Int) -> Bool {
        guard head[offset] == 0x47, let flags = head[offset + 1], let control = head[offset + 3] else { return false }
        return flags & 0x80 == 0 && control & 0x30 != 0
    }
}
