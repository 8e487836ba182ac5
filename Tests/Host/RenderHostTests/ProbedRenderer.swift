import CLinux
import Linux
import Media
import RenderHost
import TestSupport

/// The renderer of one class with probes built in (see `ProbingRenderer`), and another task of its that stays.
struct ProbedRenderer {
    private let rendererClass: RendererClass
    /// Has the neighbour, and another one has the probes where they have a renderer of their own.
    private let fake: FakeHost
    private let lone: FakeHost?
    private let sample: [UInt8]
    private let neighbour: WorkerThread
    private let isRanged: Bool

    /// - Parameters:
    ///   - layers: what its children are confined by; `nil` for everything, as in the shipped program.
    ///   - staysRoot: whether the renderer is root's where the test is.
    ///   - isOnly: whether each probe is its renderer's only task, and the neighbour another renderer's.
    ///   - isRanged: whether the sources lie elsewhere, so that each child has a window.
    init(
        _ rendererClass: RendererClass, layers: [String]? = nil, staysRoot: Bool = false, isOnly: Bool = false,
        isRanged: Bool = false
    ) throws {
        self.isRanged = isRanged
        let words = (layers.map { ["only"] + $0 } ?? []) + (staysRoot ? ["root"] : [])
        let behaviour = words.joined(separator: " ")
        let fake = try FakeHost(behaviour: behaviour, isProbing: true)
        let sample =
            rendererClass == .recognition
            ? Array("P5 64 64 255\n".utf8) + [UInt8](repeating: 255, count: 64 * 64)
            : try Descriptor.open(Self.samplePath(of: rendererClass), O_RDONLY).readAll(limit: 4 << 20)!
        self.rendererClass = rendererClass
        self.fake = fake
        lone = isOnly ? try FakeHost(behaviour: behaviour, isProbing: true) : nil
        self.sample = sample
        neighbour = try WorkerThread(name: "neighbour") {
            // It ends with the host.
            _ = try? Self.perform("linger", on: sample, by: rendererClass, in: fake)
        }
    }

    func close() {
        lone?.close()
        fake.close()
        neighbour.join()
    }

    /// What of the confinement this machine does not give.
    var notes: [String] { get throws { try fake.host.build(of: rendererClass).notes } }

    /// Decodes a sound file, then tries the probe; without one it only decodes.
    @discardableResult
    func perform(_ probe: String?) throws(Failure) -> RenderedSource {
        try Self.perform(probe, on: sample, by: rendererClass, in: lone ?? fake, isOnly: lone != nil, isRanged)
    }

    /// The probes that got through.
    func escapes(_ probes: [String]) throws -> Set<String> {
        var escapes: Set<String> = []
        for probe in probes {
            do throws(Failure) {
                try perform(probe)
                escapes.insert(probe)
            } catch {
                if try Self.isEscape(error) { escapes.insert(probe) }
            }
        }
        return escapes
    }

    /// What a failed probe means; anything that is neither a refusal nor an end by the kernel is the test's mistake.
    private static func isEscape(_ failure: Failure) throws -> Bool {
        switch (failure.code, failure.detail) {
        case (.sandboxed, _), (.unsupported, "refused"): return false
        // The file size limit's signal.
        case (.crashed, "signal \(SIGXFSZ)"): return false
        // The shell that the probe executed.
        case (.crashed, "the child exited with status 42 without an answer"): return true
        default: throw failure
        }
    }

    private static func perform(
        _ probe: String?, on sample: [UInt8], by rendererClass: RendererClass, in fake: FakeHost, isOnly: Bool = false,
        _ isRanged: Bool = false
    ) throws(Failure) -> RenderedSource {
        var limits = Limits()
        limits.wallTime = .seconds(60)
        let picture = RenderTask.Picture(
            box: Box(width: 64, height: 64)!, fit: .inside, gravity: .centre, enlarge: false)
        var task = RenderTask(
            mediaType: mediaType(of: rendererClass), limits: limits, threadCount: 2,
            pictures: [.sniff, .text, .recognition].contains(rendererClass) ? [] : [picture], isOnly: isOnly)
        task.readsText = [.text, .recognition].contains(rendererClass)
        let source = try! FakeHost.source(sample + Array((probe.map { "\n<!-- probe \($0) -->" } ?? "").utf8))
        guard isRanged else { return try fake.host.perform(task, on: source, by: rendererClass) }
        let ranged = try RangedSource(CopiedContent(file: source), folder: "/tmp")
        task.rangedSource = ranged
        return try fake.host.perform(task, on: ranged.file, by: rendererClass)
    }

    private static func mediaType(of rendererClass: RendererClass) -> MediaType {
        switch rendererClass {
        case .sniff: .octetStream
        case .plain, .image: .jpeg
        case .svg: .svg
        case .pdf: .pdf
        case .video: MediaType(rawValue: "video/mp4")
        case .text: .wordOpenXML
        case .recognition: .portableAnymap
        }
    }

    private static func samplePath(of rendererClass: RendererClass) -> String {
        let name =
            switch rendererClass {
            case .sniff, .plain, .image: "orientation-1.jpg"
            case .svg: "drawing.svg"
            case .pdf: "pages-24.pdf"
            case .video: "h264.mp4"
            case .text: "jobs/resumes/accountant.docx"
            case .recognition: preconditionFailure("its sample is made")
            }
        return Checkout.sample(name)
    }
}

/// A file, as if it lay elsewhere.
private struct CopiedContent: RangedContent {
    let file: Descriptor

    var byteCount: Int64 { try! file.status().byteCount }

    func fetch(
        _ range: Range<Int64>, into target: Descriptor, within patience: Duration
    ) throws(Failure) -> Range<Int64> {
        try! file.bytes(at: range.lowerBound, count: range.count).withUnsafeBytes {
            try! target.write($0, at: range.lowerBound)
        }
        return range
    }
}
