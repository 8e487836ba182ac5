import Media
import TestDeadline
import Testing
import Thumbnailer

@Suite("RenditionFormat", .deadline)
struct RenditionFormatTests {
    @Test("Automatic is JPEG for opaque pictures, and PNG with one transparent pixel")
    func automatic() {
        var bytes = SamplePicture.smooth.bitmap(9, 5).pixels
        #expect(RenditionFormat(.automatic, for: Bitmap(width: 9, height: 5, channels: 4, bytes: bytes)) == .jpeg)
        bytes[bytes.count - 1] = 254
        #expect(RenditionFormat(.automatic, for: Bitmap(width: 9, height: 5, channels: 4, bytes: bytes)) == .png)
        let plain = Bitmap(width: 1, height: 1, channels: 3, bytes: [0, 0, 0])
        #expect(RenditionFormat(.automatic, for: plain) == .jpeg)
    }

    @Test("A requested format is kept, transparent or not")
    func asked() {
        for picture in [SamplePicture.smooth.bitmap(3, 3), SamplePicture.fade.bitmap(3, 3)] {
            #expect(RenditionFormat(.jpeg, for: picture) == .jpeg)
            #expect(RenditionFormat(.webp, for: picture) == .webp)
            #expect(RenditionFormat(.png, for: picture) == .png)
        }
    }
}
