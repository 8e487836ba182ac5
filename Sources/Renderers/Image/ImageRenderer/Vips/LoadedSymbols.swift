internal import CVips

/// Looks up functions in the libraries that this process has loaded.
enum LoadedSymbols {
    /// The function of this name in any loaded library. The caller states its C type.
    static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        guard let everything = g_module_open(nil, G_MODULE_BIND_LAZY) else { return nil }
        var address: UnsafeMutableRawPointer?
        guard g_module_symbol(everything, name, &address) != 0, let address else { return nil }
        return unsafeBitCast(address, to: type)
    }

    /// The path of the library that holds a function.
    static func path(containing name: String) -> String? {
        // `dladdr` and its structure (four pointers) are GNU extensions, which Swift's Glibc module does not import.
        typealias Lookup = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
        guard let lookup = function("dladdr", as: Lookup.self),
            let address = function(name, as: UnsafeRawPointer.self)
        else { return nil }
        var information: (UnsafePointer<CChar>?, UnsafeRawPointer?, UnsafePointer<CChar>?, UnsafeRawPointer?)
        information = (nil, nil, nil, nil)
        guard lookup(address, &information) != 0, let path = information.0 else { return nil }
        return String(cString: path)
    }
}
