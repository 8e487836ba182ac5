import CLinux
import Linux
import Media
import RenderHost
import TestSupport

/// A host over the fake renderer, and sources that are commands to it.
struct FakeHost {
    let host: RenderHost
    private let directory: String

    /// A folder in which every renderer's name leads to the fake one, or to the real one with probes built in.
    ///
    /// - Parameter behaviour: words that it finds beside it: `refuse`, or `only` and layers of its confinement.
    init(
        behaviour: String = "", requiresSandbox: Bool = false, capacity: Capacity = Capacity(), isProbing: Bool = false
    ) throws {
        directory = TemporaryFolder.make("fake")
        for rendererClass in RendererClass.allCases {
            let program = isProbing ? "probing-\(rendererClass.programName.dropFirst(8))" : "fake-renderer"
            symlink("\(BuiltPrograms.folder)/\(program)", "\(directory)/\(rendererClass.programName)")
        }
        if isProbing { symlink("\(BuiltPrograms.folder)/stand-ins", "\(directory)/stand-ins") }
        let file = try Descriptor.open("\(directory)/behaviour", O_WRONLY | O_CREAT)
        try file.write(Array(behaviour.utf8))
        host = RenderHost(
            programs: RendererPrograms(directory: directory), requiresSandbox: requiresSandbox, capacity: capacity)
    }

    /// Runs one command; its rendition is 8 × 8.
    func run(
        _ command: String, within seconds: Int64 = 5, mediaType: MediaType = .png, recognition: Recognition? = nil,
        as rendererClass: RendererClass = .image, isOnly: Bool = false,
        drawn: (@Sendable ([Bitmap]) -> Void)? = nil
    ) throws(Failure) -> RenderedSource {
        var limits = Limits()
        limits.wallTime = .seconds(seconds)
        limits.memoryByteCount = 64 << 20
        let picture = RenderTask.Picture(box: Box(width: 8, height: 8)!, fit: .inside, gravity: .centre, enlarge: false)
        let task = RenderTask(
            mediaType: mediaType, recognition: recognition, limits: limits, pictures: [picture], drawn: drawn,
            isOnly: isOnly)
        return try host.perform(task, on: try! Self.source(command), by: rendererClass)
    }

    /// An open file with this text.
    static func source(_ text: String) throws -> Descriptor { try source(Array(text.utf8)) }

    /// An open file with these bytes.
    static func source(_ bytes: [UInt8]) throws -> Descriptor {
        let file = try MemoryFile.create(name: "source", byteCount: bytes.count)
        let mapping = try Mapping(of: file.number, byteCount: bytes.count, writable: true)
        mapping.bytes.copyBytes(from: bytes)
        return file
    }

    func close() {
        host.shutDown()
        for rendererClass in RendererClass.allCases { unlink("\(directory)/\(rendererClass.programName)") }
        for name in ["behaviour", "stand-ins"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }
}
