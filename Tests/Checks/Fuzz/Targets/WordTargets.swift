import Console
import Media

/// Text that people write on command lines, in configuration files and as names of files.
enum WordTargets {
    static func words(_ bytes: [UInt8]) throws(Broken) {
        let text = String(decoding: bytes, as: UTF8.self)
        let box = Box(parsing: text)
        let time = TimePosition(parsing: text)
        let colour = Colour(parsing: text)
        let type = MediaType(rawValue: text)
        if let box { try holds(Box(parsing: box.description) == box, "a box that its own text is not") }
        if let colour { try holds(Colour(parsing: colour.hex) == colour, "a colour that its own text is not") }
        try holds(MediaType(rawValue: type.rawValue) == type, "a media type that its own text is not")
        if let digest = Digest(hex: text) { try holds(Digest(hex: digest.hex) == digest, "a digest that changed") }
        try holds(Base64.decode(Base64.encode(bytes)) == bytes, "base64 that changed")
        _ = Base64.decode(text)
        _ = ByteCount(parsing: text)?.description
        for documentType in DocumentType.allCases {
            _ = try? documentType.check(fileName: text, facts: Facts(mediaType: type, byteCount: 0))
        }
        try named(
            Recipe(box: box ?? Preset.list.recipe.box, fit: .cover, background: colour ?? .black, time: time ?? .poster)
        )
    }

    /// The name of a recipe, which becomes the name of a file.
    private static func named(_ recipe: Recipe) throws(Broken) {
        let isSound = recipe.name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "-")
        }
        try holds(isSound && recipe.name.utf8.count < 200, "a recipe's name that is no file's: \(recipe.name)")
    }

    static func settings(_ bytes: [UInt8]) throws(Broken) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let file = try? SettingsFile(path: "config", text: text) else { return }
        let standard = StandardValues(cachePath: "/cache", queuePath: "/queue", dataPath: "/data", processorCount: 2)
        guard let settings = try? Settings(flags: [:], environment: [:], file: file, standard: standard) else { return }
        try holds((1...256).contains(settings.jobCount), "\(settings.jobCount) jobs")
        try holds(settings.limits.wallTime > .zero, "a limit of no time")
        try holds(settings.entries.count == Setting.allCases.count, "a setting that is missing")
    }
}

extension WordTargets {
    static var examples: [[UInt8]] {
        [
            "640x360", "x360", "640x", "16000", "10%", "83.5", "00:01:23", "99.95%", "white", "#fff", "a0b1c2", "512M",
            "2g", "resume.DOCX", "image/svg+xml; charset=utf-8", String(repeating: "0f", count: 32), "1QcSHQRn",
        ].map { Array($0.utf8) }
    }

    static var settingsFiles: [[UInt8]] {
        [
            "# all\n" + Setting.allCases.map { "\($0.rawValue) = 7\n" }.joined(),
            "timeout = 0.5 # s\nmemory=1T\nrequire-sandbox = yes\r\njobs =\n", "cache = /a = b\n\n",
        ].map { Array($0.utf8) }
    }
}
