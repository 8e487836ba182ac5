import Media
import TestDeadline
import Testing
import VideoRenderer

@Suite("Container formats", .deadline)
struct ContainerFormatTests {
    @Test(
        "No demuxer that opens further files or devices is on the list",
        arguments: [
            "hls", "dash", "concat", "image2", "image2pipe", "sdp", "rtsp", "rtp", "imf", "webm_dash_manifest",
            "vobsub", "lavfi",
            "tedcaptions", "mpsub", "ffmetadata", "libopenmpt", "fbdev", "video4linux2,v4l2", "mpegtsraw", "live_flv",
        ])
    func refuses(demuxer: String) {
        let names = ContainerFormat.allowList.split(separator: ",").map(String.init)
        #expect(names.contains("mov") && names.contains("matroska"))
        for name in demuxer.split(separator: ",") { #expect(!names.contains(String(name))) }
    }

    @Test("Each media type leads to one demuxer")
    func mediaTypes() {
        #expect(ContainerFormat(.quickTime)?.demuxer.hasPrefix("mov,") == true)
        #expect(ContainerFormat(.webm)?.demuxer == "matroska,webm")
        #expect(ContainerFormat(.pdf) == nil)
        let types = ContainerFormat.all.flatMap(\.mediaTypes)
        #expect(Set(types).count == types.count)
    }
}
