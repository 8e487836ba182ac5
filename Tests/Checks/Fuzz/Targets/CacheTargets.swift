import Media
import ThumbnailCache

/// The records of a cache, which other programs and people can write to.
enum CacheTargets {
    static func json(_ bytes: [UInt8]) throws(Broken) {
        guard let value = try? JSON(parsing: bytes) else { return }
        try holds((try? JSON(parsing: Array(value.text.utf8))) == value, "a value that its own text is not")
    }

    /// The bytes as a record, and as the object inside a sealed record, because no fuzzer finds a SHA-256.
    static func record(_ bytes: [UInt8]) throws(Broken) {
        _ = EntryRecord.parse(bytes)
        guard let object = try? JSON(parsing: bytes), object.members?.isEmpty == false else { return }
        _ = Facts(json: object)
        let sealed = SealedRecord.bytes(of: object)
        guard let (record, canonical) = EntryRecord.parse(sealed) else { return }
        let again = EntryRecord.parse(record.bytes(recipe: canonical))
        try holds(again?.record == record && again?.canonical == canonical, "a record that changed")
        if case .failure(let stored) = record {
            for now in [0, 1, 1_700_000_000_000_000_000, Int64.max] { _ = stored.isExpired(at: now) }
        }
    }
}

extension CacheTargets {
    static var jsonTexts: [[UInt8]] {
        [
            "{\"a\": [1, -2.5e3, true, false, null], \"b\": {\"c\": \"\\u00e9\\ud83d\\ude00\\n\\\"\"}}", "[]", "{}",
            "[[[[[[[[1]]]]]]]]", "9223372036854775807", "\"\u{e9}\u{2028}\"",
        ].map { Array($0.utf8) }
    }

    static var records: [[UInt8]] {
        let digest = String(repeating: "0f", count: 32)
        return [
            "{\"recipe\": \"1 640x360 cover\", \"format\": \"jpeg\", \"width\": 640, \"height\": 360, \"byteCount\": 9, "
                + "\"sha256\": \"\(digest)\", \"placeholder\": \"1QcS\", \"poster\": {\"time\": 1.5, \"reason\": \"first\"}, "
                + "\"build\": \"libvips 8.14.1\", \"created\": 1700000000000000000}",
            "{\"recipe\": \"1 640x360 cover\", \"failure\": \"timedOut\", \"message\": \"m\", \"detail\": \"memory\", "
                + "\"build\": \"b\", \"created\": 1700000000000000000}",
            "{\"mediaType\": \"video/mp4\", \"kind\": \"video\", \"byteCount\": 12, \"width\": 1920, \"height\": 1080, "
                + "\"duration\": 10.5, \"hasVideo\": true, \"poster\": {\"time\": 0, \"reason\": \"first\"}}",
            "{\"mediaType\": \"application/pdf\", \"kind\": \"document\", \"byteCount\": 12, \"title\": \""
                + String(repeating: "long ", count: 13_200) + "\"}",
        ].map { Array($0.utf8) }
    }
}
