/// The pictures that a drawing may carry, which librsvg has gdk-pixbuf decode.
enum EmbeddedPictures {
    /// Has gdk-pixbuf read its list of loaders, and load that of GIF: those of PNG and JPEG are built in, and a confined
    /// child could load nothing any more.
    static func warm() {
        typealias Make = @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer?) -> OpaquePointer?
        typealias Close = @convention(c) (OpaquePointer, UnsafeMutableRawPointer?) -> Int32
        guard let make = SharedLibrary.function("gdk_pixbuf_loader_new_with_type", as: Make.self),
            let close = SharedLibrary.function("gdk_pixbuf_loader_close", as: Close.self)
        else { return }
        // The loader itself is kept: a process has one, and the module with it.
        if let loader = make("gif", nil) { _ = close(loader, nil) }
    }
}
