/// The versions of the decoders under libvips that report one at run time.
enum LinkedVersions {
    static var all: [String] {
        [packed("libwebp", "WebPGetDecoderVersion", shift: 8), text("libtiff", "TIFFGetVersion"), png, openJPEG]
            .compactMap { $0 }
    }

    private typealias Packed = @convention(c) () -> Int32
    private typealias Text = @convention(c) () -> UnsafePointer<CChar>?

    private static func packed(_ name: String, _ function: String, shift: Int) -> String? {
        guard let value = LoadedSymbols.function(function, as: Packed.self)?() else { return nil }
        let parts = [2, 1, 0].map { String((Int(value) >> ($0 * shift)) & ((1 << shift) - 1)) }
        return "\(name) \(parts.joined(separator: "."))"
    }

    /// libtiff answers with a sentence: `LIBTIFF, Version 4.5.0` and its copyright.
    private static func text(_ name: String, _ function: String) -> String? {
        guard let answer = LoadedSymbols.function(function, as: Text.self)?() else { return nil }
        let line = String(cString: answer).prefix { $0 != "\n" }
        return line.split(separator: " ").last.map { "\(name) \($0)" }
    }

    private static var png: String? {
        typealias Version = @convention(c) () -> UInt32
        guard let value = LoadedSymbols.function("png_access_version_number", as: Version.self)?() else { return nil }
        return "libpng \(value / 10000).\(value / 100 % 100).\(value % 100)"
    }

    private static var openJPEG: String? {
        guard let answer = LoadedSymbols.function("opj_version", as: Text.self)?() else { return nil }
        return "openjpeg \(String(cString: answer))"
    }
}
