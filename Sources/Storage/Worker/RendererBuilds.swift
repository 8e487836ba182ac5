internal import Linux
internal import Media
internal import RenderHost
internal import Synchronization

/// The builds of all renderers as one text. Poisoned contents are stored with it, so that they are retried after any
/// renderer is upgraded.
///
/// The text covers all renderers, since it is unknown which one would open a file before its content is read.
final class RendererBuilds: Sendable {
    private let host: RenderHost
    private let known = Mutex<[RendererClass: String]>([:])

    init(_ host: RenderHost) { self.host = host }

    /// The builds now; for a renderer that is just starting, its last known build.
    var text: String {
        let builds = RendererClass.allCases.map { rendererClass in
            let now = try? host.build(of: rendererClass, within: .zero).text
            return known.withLock { known in
                if let now { known[rendererClass] = now }
                return known[rendererClass] ?? "no \(rendererClass.name)"
            }
        }
        // Two classes of one program have one build.
        var seen: Set<String> = []
        return builds.filter { seen.insert($0).inserted }.joined(separator: "; ")
    }
}
