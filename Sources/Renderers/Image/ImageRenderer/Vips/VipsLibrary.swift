internal import CVips
internal import Linux
internal import Media

/// Starts libvips, once per process, with only the necessary loaders and threads.
enum VipsLibrary {
    /// Starts libvips. Afterwards the process has one thread, and no module is loaded.
    ///
    /// - Throws: `unavailable`.
    static func start() throws(Failure) { try started.get() }

    private static let started: Result<Void, Failure> = {
        // libvips loads every module below its home, including ImageMagick, OpenSlide and Poppler: 30 ms and a large
        // attack surface. A home that does not exist has no modules; `VipsModules` loads single modules on demand.
        setenv("VIPSHOME", "/nonexistent", 1)
        // One thread for librsvg's filters too. If unset, its thread pool looks up its share of the machine in /proc
        // and /sys.
        setenv("RAYON_NUM_THREADS", "1", 1)
        VipsLog.install()
        guard vips_init("compass-render-image") == 0 else {
            return .failure(Failure(.unavailable, detail: VipsError.take()))
        }
        // No results are cached: a process renders one picture.
        vips_cache_set_max(0)
        // orc generates machine code at run time, which the sandbox forbids.
        vips_vector_set_enabled(0)
        vips_leak_set(0)
        // One worker, whatever a job allows: with two, libvips 8.14 sometimes loses a loader's error and returns black
        // tiles. For most formats the thread that asks for rows also decodes them.
        vips_concurrency_set(1)
        block()
        return .success(())
    }()

    /// Blocks every loader except those of `ImageFormat`. It unblocks loaders that libvips calls untrusted by name,
    /// since they run in a confined process here.
    private static func block() {
        vips_block_untrusted_set(1)
        vips_operation_block_set("VipsForeignLoad", 1)
        for name in ImageFormat.loaderClasses { vips_operation_block_set(name, 0) }
    }

    /// The versions of libvips and of the decoders under it that report one.
    static var versions: [String] {
        ["libvips \((0..<3).map { String(vips_version(Int32($0))) }.joined(separator: "."))"] + LinkedVersions.all
    }
}
