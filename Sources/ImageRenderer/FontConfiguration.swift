/// The fonts that a drawing's text may name.
enum FontConfiguration {
    /// Reads fontconfig's settings and caches, so that children need not: 5 ms once.
    static func warm() {
        typealias Initialise = @convention(c) () -> Int32
        _ = SharedLibrary.function("FcInit", as: Initialise.self)?()
    }
}
