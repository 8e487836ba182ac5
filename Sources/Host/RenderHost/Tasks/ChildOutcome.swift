internal import CLinux
internal import Linux
internal import Media
internal import Wire

/// How a child ended, and what it left behind.
struct ChildOutcome {
    let end: PendingTask.End
    let isKilledForTime: Bool
    let answer: Result<RenderAnswer, Failure>?
    /// Present if notes were requested and the child got that far.
    let notes: RenderNotes?
    let pixels: Descriptor

    /// The rendered source, or the failure that corresponds to the end; `nil` if the child left the file to its class's
    /// successor.
    func rendered(
        by rendererClass: RendererClass, of task: RenderTask, _ plan: PixelPlan
    ) throws(Failure) -> RenderedSource? {
        if isKilledForTime {
            throw Failure(
                .timedOut,
                message: "File took longer than \(task.limits.wallTime.components.seconds) s to open (see --timeout).",
                detail: "killed at its deadline")
        }
        let usage: ChildEnd
        switch end {
        case .vanished: throw Failure(.crashed, detail: RenderHost.rendererEndedDetail)
        case .refused(let reason): throw Failure(.unavailable, detail: reason)
        case .ended(let end): usage = end
        }
        switch usage.cause {
        case .signalled(let signal): throw failure(ofSignal: signal)
        case .forbiddenCall(let call): throw Failure(.sandboxed, detail: "system call \(call)")
        case .exited(let status):
            guard let answer else {
                throw Failure(.crashed, detail: "the child exited with status \(status) without an answer")
            }
            switch try answer.get() {
            case .failed(let failure): throw failure
            case .declined: return nil
            case .rendered(let facts, let rendered) where !task.readsText:
                return RenderedSource(
                    facts: facts, bitmaps: try plan.bitmaps(rendered, in: pixels), text: nil, usage: usage,
                    rendererClass: rendererClass)
            case .text(let facts, let byteCount) where task.readsText:
                let isDocument = rendererClass == .text && task.mediaType != .pageWords
                let part: TextPart = isDocument ? .document : .page(task.pageIndex)
                var source = RenderedSource(
                    facts: facts, bitmaps: [], text: nil, usage: usage, rendererClass: rendererClass)
                (source.text, source.furtherPages) = try plan.text(
                    byteCount, of: part, isSeries: task.furtherPageCount > 0, in: pixels)
                return source
            case .rendered, .text: throw Failure(.crashed, detail: "the renderer answered another request")
            }
        }
    }

    private func failure(ofSignal signal: Int32) -> Failure {
        switch signal {
        case SIGSYS: Failure(.sandboxed, detail: "a forbidden system call")
        case SIGXCPU: Failure(.timedOut, detail: "processor time exceeded")
        default: Failure(.crashed, detail: "signal \(signal)")
        }
    }
}

// For an explanation.
extension ChildOutcome {
    /// What the child used, if known.
    var usage: ChildEnd? {
        if case .ended(let usage) = end { usage } else { nil }
    }

    /// A sentence fragment for a person, such as `killed at its deadline`.
    var words: String {
        if isKilledForTime { return "killed at its deadline" }
        switch end {
        case .vanished: return "the renderer ended"
        case .refused(let reason): return "refused: \(reason)"
        case .ended(let usage):
            switch usage.cause {
            case .signalled(let signal): return "ended by signal \(signal)"
            case .forbiddenCall(let call): return "ended for a forbidden system call: \(call)"
            case .exited: return answerWords
            }
        }
    }

    private var answerWords: String {
        switch answer {
        case nil: "no answer"
        case .failure(let failure): failure.detail
        case .success(.rendered): "rendered"
        case .success(.text): "read the text"
        case .success(.declined(let reason)): "declined: \(reason)"
        case .success(.failed(let failure)):
            "failed: \(failure.code.rawValue)" + (failure.detail.isEmpty ? "" : " (\(failure.detail))")
        }
    }
}
