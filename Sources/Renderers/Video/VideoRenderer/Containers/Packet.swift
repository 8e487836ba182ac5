internal import CFFmpeg
internal import Media

/// Owns an `AVPacket`: some compressed bytes of one stream.
final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(Failure) {
        guard let pointer = av_packet_alloc() else { throw .outOfMemory("av_packet_alloc") }
        self.pointer = pointer
    }

    /// A second reference to the bytes of a packet that FFmpeg owns.
    init(sharing packet: UnsafePointer<AVPacket>) throws(Failure) {
        guard let pointer = av_packet_clone(packet) else { throw .outOfMemory("av_packet_clone") }
        self.pointer = pointer
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&packet)
    }

    var streamIndex: Int { Int(pointer.pointee.stream_index) }

    /// Whether decoding can begin here.
    var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }

    /// Whether an edit list hides the frame, which is decoded anyway.
    var isHidden: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

    /// Whether the bytes are encrypted (ISO/IEC 23001-7).
    var isEncrypted: Bool {
        av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
    }

    /// The presentation time; `nil` if the container does not state it.
    var time: StreamTime? { StreamTime(pointer.pointee.pts) }
}
