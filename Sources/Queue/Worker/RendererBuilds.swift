internal import Linux
internal import Media
internal import RenderHost
internal import Synchronization

/// The build of all renderers together, by which poisoned content is remembered: an upgrade of any tries it again.
///
/// What content is, and so which renderer it was that crashed, is known only after a look into it.
final class RendererBuilds: Sendable {
    private let host: RenderHost
    private let known = Mutex<[RendererClass: String]>([:])

    init(_ host: RenderHost) { self.host = host }

    /// The builds as they are now; of a renderer that is just starting, the one that it had.
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
