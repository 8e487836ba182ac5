import CLinux
import Console
import Linux
import Media
import RenderHost
import ThumbnailCache
import Thumbnailer

// Lends warm renderers through a socket, for the tests and benchmarks of `compass thumb`. It reads its settings from
// the environment, prints its socket's path and each served request, and ends when its standard input does.

func serve() throws -> Never {
    let settings = try Settings(ofCallWith: [:])
    let cache = FolderCache(path: settings.cachePath)
    try cache.makeFolder()
    let host = RenderHost(programs: try .ofRunningProgram(), requiresSandbox: settings.requiresSandbox)
    for rendererClass in RendererClass.allCases { host.prepare(rendererClass) }
    for rendererClass in RendererClass.allCases { _ = try host.build(of: rendererClass) }
    let engine = Thumbnailer(
        host: host, cache: cache, limits: settings.limits, maxUnhashedByteCount: settings.maxUnhashedByteCount,
        threadCount: 1, warn: { StandardError.write("warm-host: \($0)\n") })
    let places = settings.warmSocket.paths {
        WarmPlaces.candidates(cache: cache, environment: Process.environment, user: geteuid())
    }
    let server = try WarmServer.listening(atFirstOf: places, engine: engine) { served in
        StandardError.write("served \(served.name): \(served.outcome) in \(served.duration.milliseconds) ms\n")
    }
    StandardOutput.write("\(server.path)\n")
    StandardOutput.flush()
    var byte: UInt8 = 0
    while read(0, &byte, 1) > 0 {}
    server.stop(finishingWithin: .seconds(1))
    host.shutDown()
    Process.exit(0)
}

Process.prepare()
do {
    try serve()
} catch {
    StandardError.write("warm-host: \(error)\n")
    Process.exit(3)
}
