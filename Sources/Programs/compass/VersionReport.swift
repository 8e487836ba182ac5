import Console
import Media
import RenderHost

/// The output of `--version`: the program's version and the libraries of its renderers.
enum VersionReport {
    static func print() throws(Failure) {
        let host = RenderHost(programs: try RendererPrograms.ofRunningProgram())
        StandardOutput.write("compass \(Release.version)\n")
        let classes: [RendererClass] = [.sniff, .plain, .image, .pdf, .video, .text, .recognition]
        for rendererClass in classes { host.prepare(rendererClass) }
        for rendererClass in classes {
            let text: String
            do throws(Failure) {
                text = try host.build(of: rendererClass).text
            } catch {
                text = "not available: \(error.line)"
            }
            StandardOutput.write(Columns.line([("  \(rendererClass.name)", 8), (text, 0)]))
        }
    }
}
