internal import CVips
internal import Linux
internal import Media

/// A loader that Debian builds as a module outside libvips, with the decoder that it needs.
enum VipsModule: String {
    case heif, jxl

    /// The Debian package of the module; the decoder is its dependency.
    var package: String { CVIPS_PACKAGE }

    /// A class that the module registers when it is loaded.
    var className: String {
        switch self {
        case .heif: "VipsForeignLoadHeifSource"
        case .jxl: "VipsForeignLoadJxlSource"
        }
    }
}

/// The modules that this process has loaded, and the reasons why others could not be loaded.
struct VipsModules {
    private var loaded: Set<VipsModule> = []
    private var reasons: [VipsModule: String] = [:]

    /// Loads the module, which registers its operations. Must run while files can still be opened; `require` reports a
    /// failure.
    mutating func load(_ module: VipsModule) {
        guard !loaded.contains(module), reasons[module] == nil else { return }
        guard let folder = Self.folder else {
            reasons[module] = "the location of libvips is unknown"
            return
        }
        // GLib calls the module's `g_module_check_init`, which registers its classes.
        if g_module_open("\(folder)/vips-\(module.rawValue).so", G_MODULE_BIND_LAZY) != nil {
            vips_operation_block_set(module.className, 0)
            loaded.insert(module)
        } else {
            reasons[module] = String(cString: g_module_error())
        }
    }

    /// - Throws: `unsupported`, naming the missing package.
    func require(_ module: VipsModule) throws(Failure) {
        if loaded.contains(module) { return }
        let reason = reasons[module] ?? "not loaded"
        throw Failure(
            .unsupported, detail: "libvips' module \(module.rawValue) (Debian package \(module.package)): \(reason)")
    }

    /// The folder of modules next to the loaded libvips, named as libvips names it: `vips-modules-8.14`.
    private static let folder: String? = {
        guard let path = LoadedSymbols.path(containing: "vips_version") else { return nil }
        let directory = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return "\(directory)/vips-modules-\(vips_version(0)).\(vips_version(1))"
    }()
}
