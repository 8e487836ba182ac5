internal import Media

/// Recognises Ogg (RFC 3533) by the codecs that the first page of each logical stream names.
enum OggStream: ContentReader {
    static func finding(in source: BoundedSource) -> Finding? {
        guard source.head.has("OggS\0") else { return nil }
        let codecs = openingPackets(of: source.head)
        if codecs.contains(where: isVideo) { return Finding("video/ogg", hasVideo: true) }
        return codecs.contains(where: isAudio) ? Finding("audio/ogg", hasVideo: false) : Finding("application/ogg")
    }

    /// The first packet of every logical stream: these pages precede all others.
    private static func openingPackets(of head: Bytes) -> [Bytes] {
        var packets: [Bytes] = []
        var offset = 0
        let beginsStream: UInt8 = 0x02
        while packets.count < 32, head.has("OggS\0", at: offset), let flags = head[offset + 5],
            flags & beginsStream != 0, let segmentCount = head[offset + 26].map(Int.init),
            let segments = head.part(at: offset + 27, count: segmentCount)
        {
            let size = (0..<segmentCount).reduce(0) { $0 + Int(segments[$1] ?? 0) }
            let start = offset + 27 + segmentCount
            packets.append(head.dropping(start).first(size))
            offset = start + size
        }
        return packets
    }

    private static func isVideo(_ packet: Bytes) -> Bool {
        packet.has([0x80] + Array("theora".utf8)) || packet.has("BBCD\0") || packet.has("OVP80")
            || packet.has("\u{1}video\0")
    }

    private static func isAudio(_ packet: Bytes) -> Bool {
        packet.has("\u{1}vorbis") || packet.has("OpusHead") || packet.has("Speex   ")
            || packet.has([0x7F] + Array("FLAC".utf8)) || packet.has("fLaC") || packet.has("CELT    ")
            || packet.has("PCM     ")
    }
}
