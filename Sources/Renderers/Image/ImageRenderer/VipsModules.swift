internal import CVips
internal import Linux
internal import Media

/// A part of libvips that Debian keeps outside the library, with the decoder that it needs.
enum VipsModule: String {
    case heif, jxl

    /// The Debian package that holds it; the decoder comes along as a dependency.
    var package: String { CVIPS_PACKAGE }

    /// A class that the module registers when it is loaded.
    var className: String {
        switch self {
        case .heif: "VipsForeignLoadHeifSource"
        case .jxl: "VipsForeignLoadJxlSource"
        }
    }
}

/// The modules that this process has loaded, and why others could not be.
struct VipsModules {
    private var loaded: Set<VipsModule> = []
    private var reasons: [VipsModule: String] = [:]

    /// Maps the module and lets it register its operations. Runs where files can still be opened; a module that cannot be
    /// loaded is told by `require`.
    mutating func load(_ module: VipsModule) {
        guard !loaded.contains(module), reasons[module] == nil else { return }
        guard let folder = Self.folder else {
            reasons[module] = "where libvips lies is not known"
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

    /// - Throws: `unsupported`, naming the package that is missing.
    func require(_ module: VipsModule) throws(Failure) {
        if loaded.contains(module) { return }
        let reason = reasons[module] ?? "not loaded"
        throw Failure(
            .unsupported, detail: "libvips' module \(module.rawValue) (Debian package \(module.package)): \(reason)")
    }

    /// The folder beside the libvips that is mapped into this process: `vips-modules-8.14`, as libvips names it itself.
    private static let folder: String? = {
        guard let path = SharedLibrary.path(containing: "vips_version") else { return nil }
        let directory = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
        return "\(directory)/vips-modules-\(vips_version(0)).\(vips_version(1))"
    }()
}
