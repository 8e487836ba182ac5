/// Small JPEGs (made with libvips from pictures computed for these tests), and changes to their headers.
enum JPEGFile {
    /// A gray F on white, 32 × 48 pixels: bar along the left, bars at the top and in the middle.
    static let letter = Base64.decoded([
        "/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/",
        "wAALCAAwACABAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAoJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwDKoAVU",
        "AlXBVQlXVUAlXVUAlXVUA//Z",
    ])

    /// 128 × 96 pixels: red grows to the right from 0 to 254, green falls from 255 to 1, blue grows downwards from 0 to 255.
    static let gradient = Base64.decoded([
        "/9j/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/",
        "2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAAR",
        "CABgAIADASIAAhEBAxEB/8QAFwABAQEBAAAAAAAAAAAAAAAAAwQHBf/EABYQAAMAAAAAAAAAAAAAAAAAAAABAv/EABgBAQEB",
        "AQEAAAAAAAAAAAAAAAMFBAgH/8QAFhEAAwAAAAAAAAAAAAAAAAAAAAED/9oADAMBAAIRAxEAPwDq0gqQ9IOkefqR5XBk9IOk",
        "PSCpCKRagwKQdIekFSFUi1BgUgqQ9IOkKpFqDApBUh6QdIRSLUGBSCpD0gqQqkW4MCkHSHpBUhVItQYFIOkPSCpCKRagzSKQ",
        "VIekFSMSkciwYFIOkPSCpCKRagwKQdIekFSFUi1BgUgqQ9IOkKpFqDApBUh6QdIRSLUGBSCpD0gqQqkWoMCkHSHpBUhVItwY",
        "FIKkUUgqQikWoM0ekHSHpBUjEpHIsGBSDpD0gqQqkWoMCkFSHpB0hFItQYFIKkPSDpCqRagwKQVIekFSEUS1BgUg6Q9IKkKp",
        "FqDApB0h6QVIVSLcGBSCpD0g6QikWoM0ekHSHpBUjEonIsGBSDpD0gqQqkWoMCkFSHpB0hFItQYFIKkPSDpCqJagwKQVIekF",
        "SFUi1BgUg6Q9IKkIolqDApBUiikFSFUi1BgUgqQ9IOkIpFuDNHpB0h6QVIxKRyLBgUgqRRSCpCqRagwKQVIekHSEUi1BgUgq",
        "Q9IKkKpFqDApB0h6QVIVRLUGBSDpD0gqQikWoMCkFSHpB0hVItQYFIKkPSDpCqRagzR6QdIekFSMKkciwYFIKkPSDpCqRbgw",
        "KQVIekHSFUi1BgUgqQ9IKkIpFqDApB0h6QVIVSLUGBSCpFFIKkIpFqDApBUh6QdIVSLUGBSCpD0gqQqkWoM//9k=",
    ])

    /// The file with an EXIF segment that states the orientation (EXIF 2.32, 4.5.4 and 4.6.4).
    static func oriented(_ file: [UInt8], _ orientation: Int) -> [UInt8] {
        let body = Array("Exif\0\0".utf8) + EXIFBlock.bytes(orientation: orientation)
        var segment: [UInt8] = [0xFF, 0xE1]
        segment.appendBigEndian(UInt16(body.count + 2))
        return Array(file.prefix(2)) + segment + body + file.dropFirst(2)
    }

    /// The file with another size in its frame header (ITU-T T.81, B.2.2), without pixels for it.
    static func resized(_ file: [UInt8], width: Int, height: Int) -> [UInt8] {
        var file = file
        let frame = file.indices.dropLast().first { file[$0] == 0xFF && [0xC0, 0xC2].contains(file[$0 + 1]) }!
        var size: [UInt8] = []
        size.appendBigEndian(UInt16(height))
        size.appendBigEndian(UInt16(width))
        file.replaceSubrange(frame + 5..<frame + 9, with: size)
        return file
    }
}

/// EXIF's TIFF structure with nothing in it but the orientation.
enum EXIFBlock {
    static func bytes(orientation: Int) -> [UInt8] {
        var block: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
        block.appendBigEndian(UInt16(274))
        block.appendBigEndian(UInt16(3))
        block.appendBigEndian(UInt32(1))
        block.appendBigEndian(UInt16(orientation))
        return block + [0, 0, 0, 0, 0, 0]
    }
}
