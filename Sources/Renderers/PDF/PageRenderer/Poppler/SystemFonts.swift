internal import CPoppler
internal import Linux

/// The machine's fonts, which replace fonts that a document does not embed: fontconfig's configuration, loaded once.
///
/// On its own, fontconfig would load it at the first such font. It would also read all unused templates in
/// `conf.avail`, which doubles the time.
enum SystemFonts {
    /// Starts to load the configuration in a thread, while the document is opened.
    static func beginLoading() {
        if isLoaded { return }
        isLoaded = true
        loading = try? WorkerThread(name: "fonts") { read() }
        if loading == nil { read() }
    }

    /// Waits until the configuration is loaded, if loading was started.
    static func finishLoading() {
        loading?.join()
        loading = nil
    }

    /// Loads the configuration in this thread.
    static func load() {
        if isLoaded { return }
        isLoaded = true
        read()
    }

    /// If this fails, fontconfig loads its configuration itself.
    private static func read() {
        guard let configuration = FcConfigCreate() else { return }
        if FcConfigParseAndLoad(configuration, nil, FcBool(1)) != 0 {
            _ = FcConfigParseAndLoadFromMemory(configuration, fallbackRules, FcBool(0))
            FcConfigSetCurrent(configuration)
        }
        // fontconfig retains its current configuration.
        FcConfigDestroy(configuration)
    }

    /// A rule that adds Droid Sans Fallback for simplified Chinese, after the fonts that declare the language.
    ///
    /// The font has the glyphs but lacks a few that fontconfig requires for the language. Without the rule, a Latin
    /// font draws boxes.
    private static let fallbackRules = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
        <match target="pattern"><test name="lang" compare="contains"><string>zh-cn</string></test>
        <edit name="family" mode="append" binding="strong"><string>Droid Sans Fallback</string></edit></match>
        </fontconfig>
        """

    // Only the main thread of a renderer or child uses these two variables.
    /// Whether loading was started.
    nonisolated(unsafe) private static var isLoaded = false
    nonisolated(unsafe) private static var loading: WorkerThread?
}
