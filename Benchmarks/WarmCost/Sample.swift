import CLinux
internal import Formats
import Linux
import Media
import RenderHost
import Rendering
import Wire

/// A file to open, and the only picture that is made from it.
struct Sample: Sendable {
    let descriptor: Descriptor
    let mediaType: MediaType
    let picture = RenderTask.Picture(box: Box(width: 640, height: 360)!, fit: .cover, gravity: .centre, enlarge: false)

    init(_ path: String) throws {
        descriptor = try Descriptor.open(path, O_RDONLY)
        let head = try descriptor.bytes(at: 0, count: 32)
        mediaType = MediaType.guess(fromHead: head, fileName: path)!
    }

    var task: RenderTask { RenderTask(mediaType: mediaType, limits: Limits(), pictures: [picture]) }

    /// The same work as the task's, done by `renderer` in this process: pixels into a memory file.
    func render(by renderer: inout some Renderer) throws(Failure) {
        let byteCount = picture.box.bounds.pixelCount * 4
        let target = RenderTarget(
            box: picture.box, fit: picture.fit, gravity: picture.gravity, enlarge: picture.enlarge, offset: 0,
            byteCount: byteCount)
        let request = RenderRequest(taskID: 1, mediaType: mediaType, limits: Limits(), targets: [target])
        renderer.prepare(for: mediaType)
        let answer = try Result { () throws(SystemError) in
            let file = try MemoryFile.create(name: "pixels", byteCount: byteCount)
            let memory = try Mapping(of: file.number, byteCount: byteCount, writable: true)
            return RenderJob(request: request, source: try Source(descriptor), memory: memory)
        }.mapError { Failure(.unavailable, detail: "\($0)") }.get()
        guard case .rendered = try renderer.render(answer) else { throw Failure(.corrupt) }
    }
}
