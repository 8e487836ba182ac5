import Linux
import Media
import VideoRenderer

/// The reader of Matroska elements that FFmpeg's demuxer ignores. FFmpeg is not instrumented.
enum VideoTargets {
    static func matroska(_ bytes: [UInt8]) throws(Broken) {
        guard let source = InMemory.source(bytes) else { return }
        let stored = PixelSize(width: 640, height: 360)
        for track in 0..<3 {
            guard let aperture = MatroskaVideo(ofVideoTrack: track, in: source)?.aperture(in: stored) else { continue }
            let (right, bottom) = (aperture.left + aperture.size.width, aperture.top + aperture.size.height)
            try holds(
                aperture.left >= 0 && aperture.top >= 0 && right <= stored.width && bottom <= stored.height
                    && aperture.size.pixelCount > 0, "a cut beyond the frame: \(aperture)")
            if let shape = MatroskaVideo(ofVideoTrack: track, in: source)?.pixelAspectRatio(of: aperture.size) {
                try holds(shape.width > 0 && shape.height > 0, "a pixel of no size: \(shape)")
            }
        }
    }

    /// Tracks of a sound and a picture before a cluster, with a table of their places after it.
    static var matroskas: [[UInt8]] {
        let header: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 0x80]
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0xFF]
        let cut: [UInt8] = [
            0x54, 0xBB, 0x81, 8, 0x54, 0xAA, 0x82, 0, 4, 0x54, 0xCC, 0x81, 2, 0x54, 0xDD, 0x88, 0, 0, 0, 0, 0, 0, 0, 6,
        ]
        let shape: [UInt8] = [0x54, 0xB0, 0x81, 16, 0x54, 0xBA, 0x81, 9, 0x54, 0xB2, 0x81, 3, 0x53, 0xB8, 0x81, 0]
        let video = [0xE0, 0x80 | UInt8(cut.count + shape.count)] + cut + shape
        let picture = [0xAE, 0x80 | UInt8(video.count + 6), 0x83, 0x81, 1, 0x86, 0x81, 0x56] + video
        let sound: [UInt8] = [0xAE, 0x86, 0x83, 0x81, 2, 0x86, 0x81, 0x41]
        let tracks = [0x16, 0x54, 0xAE, 0x6B, 0x40, UInt8(sound.count + picture.count)] + sound + picture
        let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75, 0x83, 0xE7, 0x81, 0]
        let table: [UInt8] = [
            0x11, 0x4D, 0x9B, 0x74, 0x8E, 0x4D, 0xBB, 0x8B, 0x53, 0xAB, 0x84, 0x16, 0x54, 0xAE, 0x6B, 0x53, 0xAC, 0x81,
            27,
        ]
        // Void: elements behind it are read one by one.
        let gap = [0xEC, 0x21, 0x00, 0x00] + [UInt8](repeating: 0, count: 0x10000)
        return [
            header + segment + tracks + cluster, header + segment + table + cluster + tracks,
            header + segment + gap + tracks + cluster,
        ]
    }
}
