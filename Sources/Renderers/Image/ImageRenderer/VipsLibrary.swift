internal import CVips
internal import Linux
internal import Media

/// libvips, started once a process with as little of it as we need.
enum VipsLibrary {
    /// Starts libvips. It has one thread afterwards and has loaded no module.
    ///
    /// - Throws: `unavailable`.
    static func start() throws(Failure) { try started.get() }

    private static let started: Result<Void, Failure> = {
        // libvips loads every module below its home: ImageMagick, OpenSlide and Poppler among them, 30 ms and a large
        // surface. A home that does not exist has none; `VipsModules` loads those that we want, when we want them.
        setenv("VIPSHOME", "/nonexistent", 1)
        VipsLog.install()
        guard vips_init("compass-render-image") == 0 else {
            return .failure(Failure(.unavailable, detail: VipsError.take()))
        }
        // No results are kept: a process serves one picture.
        vips_cache_set_max(0)
        // orc would write machine code at run time, for which the sandbox has no memory.
        vips_vector_set_enabled(0)
        vips_leak_set(0)
        // One worker, whatever a job allows. With two, libvips 8.14 loses a loader's error now and then and returns black
        // tiles as a picture; and most pictures are decoded by the thread that asks for their rows.
        vips_concurrency_set(1)
        block()
        return .success(())
    }()

    /// Closes every loader but ours. Those that libvips itself calls untrusted are opened again by name: they get a
    /// confined process, which is what the name asks for.
    private static func block() {
        vips_block_untrusted_set(1)
        vips_operation_block_set("VipsForeignLoad", 1)
        for name in ImageFormat.loaderClasses { vips_operation_block_set(name, 0) }
    }

    /// libvips and the decoders in it, as far as they tell their versions at run time.
    static var versions: [String] {
        ["libvips \((0..<3).map { String(vips_version(Int32($0))) }.joined(separator: "."))"] + LinkedVersions.all
    }
}
