internal import CTurboJPEG
internal import Formats
internal import Linux
internal import Media
internal import Rendering

/// Decodes a whole file in memory into planes, with libjpeg-turbo's own interface.
enum TurboDecoder {
    /// The largest file, in bytes, that is read into memory.
    private static let largestFile: Int64 = 256 << 20

    /// The components at 1, ½, ¼ or ⅛ of their size.
    ///
    /// - Throws: also if libjpeg-turbo only warns; libvips decides what a damaged file shows.
    static func planes(of source: Source, _ frame: JPEGFrame, shrunk shrink: Int) throws(Declined) -> [Plane] {
        let subsampling = try subsampling(of: frame)
        let file = try file(source)
        let width = (frame.size.width + shrink - 1) / shrink
        let height = (frame.size.height + shrink - 1) / shrink
        let lengths = frame.components.indices.map { Int(tjPlaneWidth(Int32($0), Int32(width), subsampling)) }
        let heights = frame.components.indices.map { Int(tjPlaneHeight(Int32($0), Int32(height), subsampling)) }
        guard zip(lengths, heights).reduce(0, { $0 + $1.0 * $1.1 }) <= Plane.largestSampleCount else {
            throw Declined("too large to be whole in memory")
        }
        let counts = zip(lengths, heights).map { $0 * $1 }
        let samples = try PlaneMemory.filled(counts) { planes throws(Declined) in
            try decode(file, into: planes, PixelSize(width: width, height: height))
        }
        return frame.components.indices.map { index in
            let component = frame.components[index]
            return Plane(
                bytes: samples[index], rowLength: lengths[index],
                extentX: Double(frame.size.width * component.across) / Double(shrink * frame.across),
                extentY: Double(frame.size.height * component.down) / Double(shrink * frame.down))
        }
    }

    /// The whole source, which libjpeg-turbo needs in memory.
    static func file(_ source: Source) throws(Declined) -> [UInt8] {
        guard source.byteCount <= largestFile else { throw Declined("\(source.byteCount) bytes") }
        do throws(Failure) {
            return try source.bytes(at: 0, count: Int(source.byteCount))
        } catch {
            throw Declined(error.detail)
        }
    }

    private static func decode(
        _ file: [UInt8], into buffers: [UnsafeMutableBufferPointer<UInt8>], _ size: PixelSize
    ) throws(Declined) {
        guard let handle = tjInitDecompress() else { throw Declined("libjpeg-turbo does not start") }
        defer { tjDestroy(handle) }
        for buffer in buffers { buffer.initialize(repeating: 0) }
        var planes: [UnsafeMutablePointer<UInt8>?] = buffers.map(\.baseAddress) + [nil, nil]
        // The planes have the sizes that libjpeg-turbo computes for this subsampling.
        let status = tjDecompressToYUVPlanes(
            handle, file, UInt(file.count), &planes, Int32(size.width), nil, Int32(size.height), TJFLAG_STOPONWARNING)
        guard status == 0 else { throw Declined(String(cString: tjGetErrorStr2(handle))) }
    }

    /// libjpeg-turbo's constant for the frame's sampling factors.
    private static func subsampling(of frame: JPEGFrame) throws(Declined) -> Int32 {
        if frame.components.count == 1 { return Int32(TJSAMP_GRAY.rawValue) }
        let others = frame.components.dropFirst()
        guard others.allSatisfy({ $0.across == 1 && $0.down == 1 }) else { throw Declined("odd sampling factors") }
        let kind =
            switch (frame.across, frame.down) {
            case (1, 1): TJSAMP_444
            case (2, 1): TJSAMP_422
            case (2, 2): TJSAMP_420
            case (1, 2): TJSAMP_440
            case (4, 1): TJSAMP_411
            default: throw Declined("odd sampling factors")
            }
        return Int32(kind.rawValue)
    }
}
