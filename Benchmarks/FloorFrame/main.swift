// The minimum that FFmpeg must do for a video's picture: open the file, read the first key frame's packets, and decode
// them on one thread. Nothing is scaled, written or guarded.
import CFFmpeg

guard CommandLine.arguments.count == 2 else { fatalError("usage: floor-frame FILE") }

func checked(_ result: Int32, _ step: String) -> Int32 {
    guard result >= 0 else { fatalError("\(step): \(result)") }
    return result
}

var container: UnsafeMutablePointer<AVFormatContext>?
_ = checked(avformat_open_input(&container, CommandLine.arguments[1], nil, nil), "open")
let streams = UnsafeBufferPointer(start: container!.pointee.streams, count: Int(container!.pointee.nb_streams))
let stream = streams.compactMap { $0 }.first { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }!
let codec = avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id)
let decoder = avcodec_alloc_context3(codec)!
_ = checked(avcodec_parameters_to_context(decoder, stream.pointee.codecpar), "parameters")
decoder.pointee.thread_count = 1
_ = checked(avcodec_open2(decoder, codec, nil), "decoder")
let frame = av_frame_alloc()!
let packet = av_packet_alloc()!
while avcodec_receive_frame(decoder, frame) < 0 {
    guard av_read_frame(container, packet) >= 0 else {
        // At the end of the file the decoder may still hold back its first frame.
        _ = checked(avcodec_send_packet(decoder, nil), "end")
        continue
    }
    if packet.pointee.stream_index == stream.pointee.index {
        _ = checked(avcodec_send_packet(decoder, packet), "decode")
    }
    av_packet_unref(packet)
}
guard frame.pointee.width > 0 else { fatalError("no picture") }
