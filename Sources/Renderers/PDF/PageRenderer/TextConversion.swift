internal import CPoppler

/// The conversion of UTF-16 texts, such as titles: glibc keeps it in a module of its own, which a confined child could
/// not load any more.
enum TextConversion {
    /// Opens the conversion and keeps it for as long as the process lives, so that the module stays loaded: 0.1 ms.
    static func load() { _ = g_iconv_open("UTF-8", "UTF-16BE") }
}
