package import HTTPSyntax
internal import Library
package import Media

/// How a picture is requested: sides, fit, quality and format of `render/image`, and page and time, which this service
/// adds.
package struct PictureTransform: Hashable {
    private let values: [String: String]

    private static let names: Set<String> = ["width", "height", "resize", "quality", "format", "page", "time"]
    private static let longestSide = 2500

    /// The parameters of an address.
    ///
    /// - Throws: `InvalidRequest` for values that make no sense.
    package init(_ items: QueryItems) throws(FileError) {
        let known = items.items.filter { Self.names.contains($0.name) }
        values = Dictionary(known.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        _ = try recipe(prefersWebP: false)
    }

    /// The member `transform` of a body.
    ///
    /// - Throws: `InvalidRequest` for values that make no sense.
    package init(_ json: JSON) throws(FileError) {
        let known = (json.members ?? []).filter { Self.names.contains($0.key) && $0.value != .null }
        values = Dictionary(
            known.map { ($0.key, $0.value.string ?? $0.value.text) }, uniquingKeysWith: { first, _ in first })
        _ = try recipe(prefersWebP: false)
    }

    /// The transform for a caller who may name any size, so that a file has few pictures. It rounds the longer side up
    /// to the ladder, and uses the usual quality, and whole seconds or percents of a video.
    package var step: PictureTransform {
        var values = values
        values["quality"] = nil
        let sides = ["width", "height"].compactMap { name in
            (try? side(name)).flatMap(\.self).map { (name: name, length: $0) }
        }
        // The longer one is rounded up to the ladder, the other one to sixteenths of it: the picture nearly keeps its
        // shape.
        if let longest = sides.map(\.length).max() {
            let step = PictureLadder.step(atLeast: longest)
            for side in sides {
                let sixteenths = (16 * side.length + longest - 1) / longest
                values[side.name] = "\(max(1, step * sixteenths / 16))"
            }
        }
        if let time = values["time"].flatMap({ TimePosition(parsing: $0) }) {
            switch time.step {
            case .poster: break
            case .milliseconds(let count): values["time"] = "\(count / 1000)"
            case .permille(let count): values["time"] = "\(count / 10)%"
            }
        }
        return PictureTransform(values: values)
    }

    private init(values: [String: String]) { self.values = values }

    /// The requested rendition.
    ///
    /// - Parameter prefersWebP: whether the client accepts WebP, used if no format is given.
    package func recipe(prefersWebP: Bool) throws(FileError) -> Recipe {
        let (width, height) = (try side("width"), try side("height"))
        let largest = width == nil && height == nil ? Self.longestSide : nil
        guard let box = Box(width: width ?? largest, height: height ?? largest) else {
            throw .invalidRequest("This size is too large")
        }
        let fit: Fit =
            switch values["resize"] ?? "cover" {
            // Without both sides there is nothing to crop or stretch.
            case "cover": width == nil || height == nil ? .inside : .cover
            case "contain": .inside
            case "fill" where width == nil || height == nil: .inside
            case "fill":
                throw .invalidRequest("resize=fill distorts pictures, and is not made here: use cover or contain")
            default: throw .invalidRequest("resize is cover, contain or fill")
            }
        let quality = try number("quality", 20...100) ?? 80
        let format: Recipe.Format =
            switch values["format"] {
            case nil: prefersWebP ? .webp : .automatic
            case "origin": .automatic
            case "webp", "avif": .webp
            default: throw .invalidRequest("format is origin, webp or avif")
            }
        let page = try number("page", 1...100_000) ?? 1
        var time = TimePosition.poster
        if let text = values["time"] {
            guard let given = TimePosition(parsing: text) else { throw .invalidRequest("time is seconds or 00:01:23") }
            time = given
        }
        return Recipe(
            box: box, fit: fit, format: format, quality: quality, pageIndex: page - 1, time: time, allowsIcon: false)
    }

    /// Sides beyond the limits are cut to them.
    private func side(_ name: String) throws(FileError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let side = Int(text) else { throw .invalidRequest("\(name) is a number of pixels") }
        return min(max(side, 1), Self.longestSide)
    }

    private func number(_ name: String, _ range: ClosedRange<Int>) throws(FileError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw .invalidRequest("\(name) is \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
