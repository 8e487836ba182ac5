import CLinux
import Linux
import Media
import RenderHost
import SourceFiles
import Synchronization
import TestSupport
import ThumbnailCache
import Thumbnailer

/// The engine over the fake renderer (whose commands are a source's text), with a scratch folder of its own.
final class FakeEngine: Sendable {
    let folder: String
    let cache: FolderCache
    let host: RenderHost
    private let gate: Descriptor?
    private let warnings = Mutex<[Failure]>([])

    /// - Parameter isGated: whether each renderer waits for `openGate()` before it starts.
    init(isGated: Bool = false) throws {
        folder = TemporaryFolder.make("engine")
        mkdir("\(folder)/libexec", 0o755)
        symlink("\(BuiltPrograms.folder)/fake-renderer", "\(folder)/libexec/fake")
        gate = isGated ? try Self.makeGate(in: folder) : nil
        for rendererClass in RendererClass.allCases {
            symlink(isGated ? "gated" : "fake", "\(folder)/libexec/\(rendererClass.programName)")
        }
        cache = FolderCache(path: "\(folder)/cache")
        host = RenderHost(programs: RendererPrograms(directory: "\(folder)/libexec"))
    }

    /// A program that reads a line from a FIFO before it becomes the fake renderer.
    private static func makeGate(in folder: String) throws -> Descriptor {
        mkfifo("\(folder)/gate", 0o600)
        let script = "#!/bin/sh\nread -r line < '\(folder)/gate'\nexec '\(folder)/libexec/fake' \"$@\"\n"
        try Descriptor.open("\(folder)/libexec/gated", O_WRONLY | O_CREAT, mode: 0o755).write(Array(script.utf8))
        // For writing too, or it would wait for a reader.
        return try Descriptor.open("\(folder)/gate", O_RDWR)
    }

    /// Lets all renderers start, those that wait and those to come.
    func openGate() throws { try gate?.write(Array(repeating: UInt8(ascii: "\n"), count: 100)) }

    /// An engine; one without renderers fails wherever it would need one.
    func thumbnailer(maxUnhashed: UInt64 = 1 << 20, hasRenderers: Bool = true, cache: FolderCache? = nil) -> Thumbnailer
    {
        Thumbnailer(
            host: hasRenderers ? host : RenderHost(programs: RendererPrograms(directory: "/nowhere")),
            cache: cache ?? self.cache, limits: Limits(), maxUnhashedByteCount: maxUnhashed, threadCount: 1,
            warn: { failure in self.warnings.withLock { $0.append(failure) } })
    }

    var warningCount: Int { warnings.withLock { $0.count } }

    /// A file with this text, old enough for the stat index.
    func source(_ text: String, name: String = "source") throws -> SourceFile {
        let path = "\(folder)/\(name)"
        let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(text.utf8))
        return try .open(path)
    }

    func close() {
        host.shutDown()
        system("rm -rf '\(folder)'")
    }
}
