internal import CPoppler
internal import Linux

/// The fonts that stand in for those a document does not bring: fontconfig's settings of this machine, read once.
///
/// Left to itself, fontconfig reads them when the first such font is met, and with them every template that its packages
/// bring (`conf.avail`), whose rules then do not count: it doubles the time.
enum SystemFonts {
    /// Begins to read them, beside the opening of the document.
    static func beginLoading() {
        if isLoaded || loading != nil { return }
        loading = try? WorkerThread(name: "fonts") { load() }
    }

    /// Waits until they are read.
    static func finishLoading() {
        if isLoaded { return }
        if let loading { loading.join() } else { load() }
        isLoaded = true
        loading = nil
    }

    /// Where this fails, fontconfig is left to itself.
    private static func load() {
        guard let settings = FcConfigCreate() else { return }
        if FcConfigParseAndLoad(settings, nil, FcBool(1)) != 0 { FcConfigSetCurrent(settings) }
        // Fontconfig holds a reference of its own to what is current.
        FcConfigDestroy(settings)
    }

    // Only the main thread of a renderer or child touches these.
    nonisolated(unsafe) private static var isLoaded = false
    nonisolated(unsafe) private static var loading: WorkerThread?
}
