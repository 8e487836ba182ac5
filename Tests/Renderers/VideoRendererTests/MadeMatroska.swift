/// Builds a Matroska file of one frame or a few (RFC 9559).
struct MadeMatroska {
    var width = 64
    var height = 48
    /// The CodecID; `V_UNCOMPRESSED` is red, green and blue, a byte each.
    var codec = "V_UNCOMPRESSED"
    var frame: [UInt8]
    /// Further frames, and their times in units after the first.
    var later: [(delay: Int16, frame: [UInt8])] = []
    /// The time of the first frame, in units.
    var start: UInt64 = 0
    /// The nanoseconds of a unit.
    var timeScale = 1_000_000
    /// The duration of each frame, in units.
    var blockDuration: UInt64?
    /// The duration of the file, in units.
    var duration: Float?
    /// Further elements in the track's `Video`.
    var extensions: [UInt8] = []
    /// Whether an audio track precedes the video track.
    var hasSound = false
    /// Whether `Tracks` follow the cluster, and a `SeekHead` refers to them.
    var hasTracksBehind = false
    /// Whether the size of the segment is unknown.
    var isEndless = false
    /// Elements before all others in the segment.
    var front: [UInt8] = []

    var bytes: [UInt8] {
        let header = Self.element(0x1A45_DFA3, Self.element(0x4282, Array("matroska".utf8)))
        let lasting = duration.map { Self.float(0x4489, $0) } ?? []
        let info = Self.element(0x1549_A966, Self.number(0x2AD7B1, timeScale) + lasting)
        let tracks = Self.element(0x1654_AE6B, (hasSound ? sound : []) + track)
        let blocks = ([(delay: 0, frame: frame)] + later).flatMap { block in
            let delay = [UInt8(truncatingIfNeeded: block.delay >> 8), UInt8(truncatingIfNeeded: block.delay)]
            let content = [0x80 | (hasSound ? 2 : 1)] + delay + [0x80] + block.frame
            guard let blockDuration else { return Self.element(0xA3, content) }
            return Self.element(0xA0, Self.element(0xA1, content) + Self.unsigned(0x9B, blockDuration))
        }
        let cluster = Self.element(0x1F43_B675, Self.unsigned(0xE7, start) + blocks)
        var content = front + info
        if hasTracksBehind {
            let place = content.count + Self.table(of: 0).count + cluster.count
            content += Self.table(of: place) + cluster + tracks
        } else {
            content += tracks + cluster
        }
        let segment: [UInt8] =
            isEndless
            ? Self.bytes(of: 0x1853_8067, atLeast: 4) + [0x01] + [UInt8](repeating: 0xFF, count: 7) + content
            : Self.element(0x1853_8067, content)
        return header + segment
    }

    private var track: [UInt8] {
        // FFmpeg's fourcc of 24 bits a pixel.
        let video =
            Self.number(0xB0, width) + Self.number(0xBA, height) + Self.element(0x2EB524, Array("RGB".utf8) + [24])
            + extensions
        return Self.element(
            0xAE,
            Self.number(0xD7, hasSound ? 2 : 1) + Self.number(0x73C5, 2) + Self.number(0x83, 1)
                + Self.element(0x86, Array(codec.utf8)) + Self.element(0xE0, video))
    }

    private var sound: [UInt8] {
        // A crop in an audio track, where it has no meaning.
        let misplaced = Self.element(0xE0, Self.number(0x54CC, 30))
        return Self.element(
            0xAE,
            Self.number(0xD7, 1) + Self.number(0x73C5, 1) + Self.number(0x83, 2)
                + Self.element(0x86, Array("A_PCM/INT/LIT".utf8)) + misplaced)
    }

    private static func table(of place: Int) -> [UInt8] {
        let position = bytes(of: 0x53AC, atLeast: 2) + [0x88] + bytes(of: place, atLeast: 8)
        return element(0x114D_9B74, element(0x4DBB, element(0x53AB, [0x16, 0x54, 0xAE, 0x6B]) + position))
    }

    /// A crop, in the order of CSS: top, right, bottom, left.
    static func cut(_ top: Int, _ right: Int, _ bottom: Int, _ left: Int) -> [UInt8] {
        number(0x54BB, top) + number(0x54DD, right) + number(0x54AA, bottom) + number(0x54CC, left)
    }

    static func element(_ id: Int, _ content: [UInt8]) -> [UInt8] {
        bytes(of: id, atLeast: 1) + bytes(of: 1 << 28 | content.count, atLeast: 4) + content
    }

    static func number(_ id: Int, _ value: Int) -> [UInt8] { element(id, bytes(of: value, atLeast: 1)) }

    static func unsigned(_ id: Int, _ value: UInt64) -> [UInt8] { number(id, Int(truncatingIfNeeded: value)) }

    static func float(_ id: Int, _ value: Float) -> [UInt8] {
        element(id, bytes(of: Int(value.bitPattern), atLeast: 4))
    }

    private static func bytes(of value: Int, atLeast count: Int) -> [UInt8] {
        let needed = max(count, (71 - UInt64(bitPattern: Int64(value)).leadingZeroBitCount) / 8)
        return (0..<needed).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
