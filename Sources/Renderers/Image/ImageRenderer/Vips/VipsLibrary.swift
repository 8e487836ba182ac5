internal import CVips
internal import Linux
internal import Media

/// Starts libvips, once a process, with only the loaders and threads that are needed.
enum VipsLibrary {
    /// Starts libvips. Afterwards the process has one thread, and no module is loaded.
    ///
    /// - Throws: `unavailable`.
    static func start() throws(Failure) { try started.get() }

    private static let started: Result<Void, Failure> = {
        // libvips loads every module below its home, ImageMagick, OpenSlide and Poppler among them: 30 ms and much that
        // can be attacked. A home that does not exist has no modules; `VipsModules` loads single ones when they are
        // needed.
        setenv("VIPSHOME", "/nonexistent", 1)
        // One thread for librsvg's filters too. Unset, its thread pool looks for the machine's share in /proc and /sys.
        setenv("RAYON_NUM_THREADS", "1", 1)
        VipsLog.install()
        guard vips_init("compass-render-image") == 0 else {
            return .failure(Failure(.unavailable, detail: VipsError.take()))
        }
        // No results are cached: a process renders one picture.
        vips_cache_set_max(0)
        // orc writes machine code at run time, which the sandbox forbids.
        vips_vector_set_enabled(0)
        vips_leak_set(0)
        // One worker, whatever a job allows. With two, libvips 8.14 sometimes loses a loader's error and returns black
        // tiles. The thread that asks for rows also decodes them for most formats.
        vips_concurrency_set(1)
        block()
        return .success(())
    }()

    /// Blocks every loader but those of `ImageFormat`. Loaders that libvips calls untrusted are unblocked by name, as
    /// they run in a confined process here.
    private static func block() {
        vips_block_untrusted_set(1)
        vips_operation_block_set("VipsForeignLoad", 1)
        for name in ImageFormat.loaderClasses { vips_operation_block_set(name, 0) }
    }

    /// The versions of libvips and of the decoders below it that report one.
    static var versions: [String] {
        ["libvips \((0..<3).map { String(vips_version(Int32($0))) }.joined(separator: "."))"] + LinkedVersions.all
    }
}
