/// The pictures embedded in drawings, which gdk-pixbuf decodes for librsvg.
enum EmbeddedPictures {
    /// Loads gdk-pixbuf's list of loaders, and the loader for GIF, which a confined child cannot load. The loaders for
    /// PNG and JPEG are built in.
    static func warm() {
        typealias Make = @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer?) -> OpaquePointer?
        typealias Close = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?) -> Int32
        guard let make = LoadedSymbols.function("gdk_pixbuf_loader_new_with_type", as: Make.self),
            let close = LoadedSymbols.function("gdk_pixbuf_loader_close", as: Close.self)
        else { return }
        // The loader is never freed: there is one per process, and it keeps the module loaded.
        if let loader = make("gif", nil) { _ = close(loader, nil) }
    }
}
