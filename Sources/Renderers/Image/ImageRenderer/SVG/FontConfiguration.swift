internal import CVips

/// The fonts for text in drawings.
enum FontConfiguration {
    /// Reads fontconfig's settings and caches, and the user's languages, before the fork, so that children need not. It
    /// takes 5 ms once.
    static func warm() {
        typealias Initialise = @convention(c) () -> Int32
        _ = LoadedSymbols.function("FcInit", as: Initialise.self)?()
        // librsvg and pango ask GLib for the languages, which reads the locale aliases once per process.
        _ = g_get_language_names()
    }
}
