import CTurboJPEG
import Glibc
import Media
import Synchronization

/// A JPEG that the test makes with libjpeg-turbo's own encoder, and changes to it.
struct MadeJPEG {
    var width: Int
    var height: Int
    var subsampling = TJSAMP_420
    var isProgressive = false
    var quality = 95
    /// The colour at a place.
    var colour: (_ x: Int, _ y: Int) -> (red: Int, green: Int, blue: Int)

    /// Red grows to the right, green downwards, blue is half.
    static func gradient(width: Int, height: Int) -> MadeJPEG {
        MadeJPEG(width: width, height: height) { x, y in
            (x * 255 / max(1, width - 1), y * 255 / max(1, height - 1), 128)
        }
    }

    /// One colour in each quarter: red, green, blue, gray.
    static func quarters(width: Int, height: Int) -> MadeJPEG {
        MadeJPEG(width: width, height: height) { x, y in
            switch (x < width / 2, y < height / 2) {
            case (true, true): (230, 20, 20)
            case (false, true): (20, 200, 20)
            case (true, false): (20, 20, 240)
            case (false, false): (120, 120, 120)
            }
        }
    }

    var bytes: [UInt8] { bytes(restarting: "") }

    private func encoded() -> [UInt8] {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (red, green, blue) = colour(x, y)
                pixels += [UInt8(red), UInt8(green), UInt8(blue)]
            }
        }
        let handle = tjInitCompress()!
        defer { tjDestroy(handle) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let status = tjCompress2(
            handle, pixels, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &buffer, &count,
            Int32(subsampling.rawValue), Int32(quality), isProgressive ? TJFLAG_PROGRESSIVE : 0)
        precondition(status == 0)
        defer { tjFree(buffer) }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(count)))
    }

    /// As `bytes`, with a restart marker after so many rows of blocks, or blocks (`B` behind the number).
    func bytes(restarting interval: String) -> [UInt8] {
        // libjpeg-turbo's encoder takes this from the environment.
        Self.environment.withLock { _ in
            if interval.isEmpty { return encoded() }
            setenv("TJ_RESTART", interval, 1)
            defer { unsetenv("TJ_RESTART") }
            return encoded()
        }
    }

    /// Of the process, in which tests run side by side.
    private static let environment = Mutex(())

    /// The file with a segment behind its first two bytes.
    static func inserting(_ marker: UInt8, _ body: [UInt8], into file: [UInt8]) -> [UInt8] {
        var segment: [UInt8] = [0xFF, marker]
        segment.appendBigEndian(UInt16(body.count + 2))
        return Array(file.prefix(2)) + segment + body + file.dropFirst(2)
    }

    /// An EXIF body (EXIF 2.32, 4.5.4 and 4.6.4) that holds the orientation alone.
    static func exif(orientation: Int, type: Int = 3) -> [UInt8] {
        var body: [UInt8] = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
        body.appendBigEndian(UInt16(274))
        body.appendBigEndian(UInt16(type))
        body.appendBigEndian(UInt32(1))
        body.appendBigEndian(UInt16(orientation))
        return body + [0, 0, 0, 0, 0, 0]
    }

    /// Where the frame header's marker is.
    static func frame(in file: [UInt8]) -> Int {
        file.indices.dropLast().first { file[$0] == 0xFF && (0xC0...0xC2).contains(file[$0 + 1]) }!
    }
}
