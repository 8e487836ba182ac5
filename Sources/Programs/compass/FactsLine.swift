import Media

extension Facts {
    /// The facts in one line for a person: `video/mp4, 1920 × 1080, 0:10, h264`.
    var line: String {
        var parts = [mediaType.rawValue]
        if let width, let height { parts.append("\(width) × \(height)") }
        if let pageCount { parts.append(pageCount == 1 ? "1 page" : "\(pageCount) pages") }
        if let pageWidth, let pageHeight { parts.append("\(Self.points(pageWidth)) × \(Self.points(pageHeight)) pt") }
        if isBlank == true { parts.append("blank") }
        if let duration { parts.append(Self.clock(duration)) }
        if let codec { parts.append(codec) }
        if let hdr { parts.append("HDR (\(hdr))") }
        if hasAlpha == true { parts.append("alpha") }
        if isEncrypted == true { parts.append("encrypted") }
        if let title { parts.append("“\(title)”") }
        return parts.joined(separator: ", ")
    }

    /// `1:02:03`, `0:07`, or tenths of a second below one second.
    static func clock(_ seconds: Double) -> String {
        guard seconds >= 1 else { return "\(Double(Int(seconds * 10)) / 10) s" }
        let whole = Int(min(seconds.rounded(), 1e9))
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = "\(two(whole % 60))"
        return whole < 3600 ? "\(whole / 60):\(rest)" : "\(whole / 3600):\(two(whole / 60 % 60)):\(rest)"
    }

    /// A length in points with at most one decimal.
    private static func points(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() && tenths < 1e9 ? "\(Int(tenths))" : "\(tenths)"
    }
}
