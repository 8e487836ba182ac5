import Linux
import Media
import RenderHost
import Rendering

/// A warm task in a fresh confined child, compared with the same work in this process, alternately.
enum WarmCost {
    private static let rounds = 200

    static func print(
        _ renderer: consuming some Renderer, as rendererClass: RendererClass, of sample: Sample,
        _ programs: RendererPrograms
    ) throws {
        var renderer = renderer
        renderer.warm()
        let host = RenderHost(programs: programs)
        defer { host.shutDown() }
        var children: [Duration] = []
        var inProcess: [Duration] = []
        // The first tasks warm the renderer.
        for round in -20..<rounds {
            let start = Time.monotonic
            _ = try host.perform(sample.task, on: sample.descriptor, by: rendererClass)
            let middle = Time.monotonic
            try sample.render(by: &renderer)
            let end = Time.monotonic
            guard round >= 0 else {
                // A renderer warms when it has been idle for a moment.
                if round == -20 { Time.sleep(.milliseconds(200)) }
                continue
            }
            children.append(middle - start)
            inProcess.append(end - middle)
        }
        let (child, own) = (children.median.milliseconds, inProcess.median.milliseconds)
        Swift.print(
            "| \(rendererClass.name) | \(child) ms | \(own) ms | \((children.median - inProcess.median).milliseconds) ms |"
        )
    }
}

extension [Duration] {
    var median: Duration { sorted()[count / 2] }
}

extension Duration {
    /// Milliseconds with two decimals.
    var milliseconds: String {
        let hundredths = Int((self / Duration.microseconds(10)).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
