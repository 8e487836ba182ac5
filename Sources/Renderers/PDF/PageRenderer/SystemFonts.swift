internal import CPoppler
internal import Linux

/// The fonts that stand in for those a document does not bring: fontconfig's settings of this machine, read once.
///
/// Left to itself, fontconfig reads them when the first such font is met, and with them every template that its packages
/// bring (`conf.avail`), whose rules then do not count: it doubles the time.
enum SystemFonts {
    /// Begins to read them, beside the opening of the document.
    static func beginLoading() {
        if isLoaded { return }
        isLoaded = true
        loading = try? WorkerThread(name: "fonts") { read() }
        if loading == nil { read() }
    }

    /// Waits until they are read, if that was begun.
    static func finishLoading() {
        loading?.join()
        loading = nil
    }

    /// Reads them in this thread.
    static func load() {
        if isLoaded { return }
        isLoaded = true
        read()
    }

    /// Where this fails, fontconfig is left to itself.
    private static func read() {
        guard let settings = FcConfigCreate() else { return }
        if FcConfigParseAndLoad(settings, nil, FcBool(1)) != 0 {
            _ = FcConfigParseAndLoadFromMemory(settings, fallbackRules, FcBool(0))
            FcConfigSetCurrent(settings)
        }
        // Fontconfig holds a reference of its own to what is current.
        FcConfigDestroy(settings)
    }

    /// Droid Sans Fallback has the glyphs of simplified Chinese, but not every one that fontconfig wants to see before it says
    /// so: without this rule, a Latin font's boxes are drawn. A font that does claim the language goes before it.
    private static let fallbackRules = """
        <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
        <match target="pattern"><test name="lang" compare="contains"><string>zh-cn</string></test>
        <edit name="family" mode="append" binding="strong"><string>Droid Sans Fallback</string></edit></match>
        </fontconfig>
        """

    // Only the main thread of a renderer or child touches these.
    /// Whether they are read, or being read.
    nonisolated(unsafe) private static var isLoaded = false
    nonisolated(unsafe) private static var loading: WorkerThread?
}
