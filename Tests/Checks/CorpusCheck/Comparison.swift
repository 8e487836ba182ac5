import Media

/// One fact on which our answer and another tool's differ.
struct Difference: Hashable {
    let path: String
    let fact: String
    let ours: String
    let theirs: String
}

/// Compares one outcome with one line of the manifest.
enum Comparison {
    static func differences(between ours: Outcome, and theirs: Manifest.Entry) -> [Difference] {
        func difference(_ fact: String, _ own: String, _ other: String) -> Difference {
            Difference(path: theirs.path, fact: fact, ours: own, theirs: other)
        }
        var differences: [Difference] = []
        if theirs.isDecodable, let failure = ours.failure {
            differences.append(difference("outcome", failure, "decodable"))
        }
        if ours.failure == "crashed" || ours.failure == "unavailable" {
            differences.append(difference("outcome", ours.failure!, "a rendition or a failure of the content"))
        }
        if ours.milliseconds > 22_000 {
            differences.append(difference("time", "\(Int(ours.milliseconds)) ms", "the deadline of 20 s"))
        }
        guard let facts = ours.facts else { return differences }
        if let own = facts["mediaType"]?.string, own != normal(theirs.mediaType) {
            differences.append(difference("mediaType", own, normal(theirs.mediaType)))
        }
        if let pages = theirs.integer("pages"), let own = facts["pageCount"]?.int, own != pages {
            differences.append(difference("pageCount", "\(own)", "\(pages)"))
        }
        if let other = pageSize(theirs), let own = pair(facts, "pageWidth", "pageHeight"), !near(own, other, 1) {
            differences.append(difference("pageSize", "\(own)", "\(other)"))
        }
        if let other = shownSize(theirs), let own = pair(facts, "width", "height"), !near(own, other, 1) {
            differences.append(difference("size", "\(own)", "\(other)"))
        }
        if let other = theirs.number("duration"), let own = facts["duration"]?.number,
            abs(own - other) > max(0.1, other * 0.02)
        {
            differences.append(difference("duration", "\(own)", "\(other)"))
        }
        return differences
    }

    /// Whether both name the same type; a type may have two names.
    private static func normal(_ mediaType: String) -> String {
        let names = [
            "image/x-ms-bmp": "image/bmp", "application/csv": "text/csv",
            "image/x-portable-pixmap": "image/x-portable-anymap",
            "audio/x-m4a": "audio/mp4", "application/x-empty": "inode/x-empty",
            "application/CDFV2": "application/x-ole-storage",
        ]
        return names[mediaType] ?? mediaType
    }

    private typealias Pair = (Double, Double)

    private static func near(_ one: Pair, _ other: Pair, _ tolerance: Double) -> Bool {
        abs(one.0 - other.0) <= tolerance && abs(one.1 - other.1) <= tolerance
    }

    private static func pair(_ facts: JSON, _ first: String, _ second: String) -> Pair? {
        guard let one = facts[first]?.number, let other = facts[second]?.number else { return nil }
        return (one, other)
    }

    /// pdfinfo's `612 x 792 pts`, turned as the page is shown.
    private static func pageSize(_ entry: Manifest.Entry) -> Pair? {
        let words = entry.facts["page_size"]?.split(separator: " ") ?? []
        guard words.count >= 3, let width = Double(words[0]), let height = Double(words[2]) else { return nil }
        return abs((entry.integer("page_rot") ?? 0) % 180) == 90 ? (height, width) : (width, height)
    }

    /// A picture's or video's size with orientation, rotation and pixel shape applied.
    private static func shownSize(_ entry: Manifest.Entry) -> Pair? {
        if let width = entry.number("vips_width"), let height = entry.number("vips_height") {
            return (entry.integer("vips_orientation") ?? 1) < 5 ? (width, height) : (height, width)
        }
        guard entry.facts["codec_name"] != nil, var width = entry.number("width"), let height = entry.number("height"),
            width > 0
        else { return nil }
        let ratio = (entry.facts["sample_aspect_ratio"] ?? "1:1").split(separator: ":").compactMap { Double($0) }
        if ratio.count == 2, ratio[0] > 0, ratio[1] > 0 { width = (width * ratio[0] / ratio[1]).rounded() }
        return (entry.integer("rotation") ?? 0) % 180 == 0 ? (width, height) : (height, width)
    }
}
