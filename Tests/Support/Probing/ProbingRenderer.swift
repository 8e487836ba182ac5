internal import CLinux
import Formats
internal import Linux
package import Media
package import Rendering
package import Wire

/// A real renderer that, after it has decoded a file, acts as if the file had taken control of it.
///
/// Libraries, warming, child and confinement are the real ones. Pictures, films, pages and drawings may end with
/// `<!-- probe NAME -->`. Such a source is decoded as usual, and then the probe is tried in the same child. If calls
/// are recorded, the answer carries the record.
package struct ProbingRenderer<Base: Renderer>: Renderer {
    private var base: Base
    private let rendererClass: RendererClass

    package init(as rendererClass: RendererClass) throws(Failure) {
        _ = (Probe.renderer, Probe.renderersTaskLimit)
        base = try Base(as: rendererClass)
        self.rendererClass = rendererClass
    }

    /// Runs the program, normally as an ordinary user, confined as the file next to it says.
    package static func main(serving classes: [RendererClass]) -> Never {
        let layers = Behaviour.ofThisProcess.layers
        if !Behaviour.ofThisProcess.staysRoot { OrdinaryUser.become() }
        RendererProgram<Self>.main(serving: classes, confinedBy: layers)
    }

    package var build: [String] { base.build }

    package mutating func warm() { base.warm() }

    package mutating func prepare(for mediaType: MediaType) { base.prepare(for: mediaType) }

    package func render(_ job: RenderJob) throws(Failure) -> RenderAnswer {
        guard Behaviour.ofThisProcess.recordsCalls else { return try answer(to: job) }
        let recorder = try CallRecorder(of: rendererClass)
        let answer: RenderAnswer
        do throws(Failure) {
            answer = try self.answer(to: job)
        } catch {
            answer = .failed(error)
        }
        return answer.carrying(recorder.record)
    }

    /// Answers as usual without a probe, and after a probe that succeeded; throws `refused` if it did not.
    private func answer(to job: RenderJob) throws(Failure) -> RenderAnswer {
        let answer = try base.render(job)
        guard let name = try probeName(in: job.source) else { return answer }
        // A neighbour for the probes that need one; it stays until it is killed.
        while name == "linger" { sleep(1) }
        guard let probe = Probe(rawValue: name) else { throw Failure(.usage, detail: "no such probe") }
        let isThrough = probe.escapes()
        // The record has the calls that the recorder saw.
        if Behaviour.ofThisProcess.recordsCalls || isThrough { return answer }
        throw Failure(.unsupported, detail: "refused")
    }

    private func probeName(in source: Source) throws(Failure) -> String? {
        let end = try source.bytes(at: max(0, source.byteCount - 64), count: 64)
        let words = String(decoding: end, as: UTF8.self).split(separator: " ")
        guard words.count >= 3, words.last == "-->", words[words.count - 3] == "probe" else { return nil }
        return String(words[words.count - 2])
    }
}

extension RenderAnswer {
    /// The answer with the record in its only free text field.
    fileprivate func carrying(_ record: String) -> RenderAnswer {
        switch self {
        case .rendered(var facts, let pixels):
            facts.title = record
            return .rendered(facts, pixels)
        case .text(var facts, let byteCount):
            facts.title = record
            return .text(facts, byteCount: byteCount)
        case .failed(let failure):
            return .failed(Failure(failure.code, message: failure.message, detail: record))
        case .declined:
            // The host would drop it, and with it the record.
            return .failed(Failure(.unsupported, detail: record))
        }
    }
}
