internal import CPoppler

/// The conversion of UTF-16 texts, such as titles, with an iconv module of glibc. A confined child cannot load the
/// module.
enum TextConversion {
    /// Opens the conversion in 0.1 ms and never closes it, so that the module stays loaded.
    static func load() { _ = g_iconv_open("UTF-8", "UTF-16BE") }
}
