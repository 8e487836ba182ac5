public import Media
internal import Synchronization
internal import Wire

/// How a source was opened, for a person who asked: each try of a renderer, in the order of their ends.
///
/// Several threads may work on one source.
public final class Explanation: Sendable {
    /// One child, and what it says that it did.
    public struct Child: Sendable {
        public let rendererClass: RendererClass
        /// `rendered`, or what came instead.
        public let outcome: String
        /// Whether it was by the library alone: every library as it is, no reader or shortcut of our own, one thread.
        public let skipsShortcuts: Bool
        /// What the child was allowed.
        public let limits: Limits
        /// For a place among the tasks in work.
        public let waited: Duration
        /// Until there was a renderer to send the task to; it may still have been loading its library then.
        public let started: Duration
        /// From the request to the child's end.
        public let ran: Duration
        /// What the child used of the processors and, at most, of memory; `nil` where it is not known.
        public let processorTime: Duration?
        public let peakByteCount: UInt64?
        /// What the child says that it did, by topic; empty where it did not come so far.
        public let notes: [(topic: String, text: String)]
        /// How long the child's steps took, in their order.
        public let steps: [(name: String, duration: Duration)]
    }

    private let state = Mutex<(children: [Child], service: String?)>(([], nil))

    public init() {}

    public var children: [Child] { state.withLock { $0.children } }

    /// What came of asking a service with warm renderers; `nil` where none was asked.
    public var service: String? { state.withLock { $0.service } }

    public func note(service: String) { state.withLock { $0.service = service } }

    func add(_ child: Child) { state.withLock { $0.children.append(child) } }
}

extension Explanation.Child {
    init(
        _ outcome: Attempt.Outcome, of request: RenderRequest, by rendererClass: RendererClass, waited: Duration,
        started: Duration, ran: Duration
    ) {
        self.init(
            rendererClass: rendererClass, outcome: outcome.words, skipsShortcuts: request.skipsShortcuts,
            limits: request.limits, waited: waited, started: started, ran: ran,
            processorTime: outcome.usage.map { .microseconds($0.processorTime) },
            peakByteCount: outcome.usage?.peakByteCount,
            notes: (outcome.notes?.notes ?? []).map { ($0.topic.rawValue, $0.text) },
            steps: (outcome.notes?.steps ?? []).map { ($0.name.rawValue, .microseconds($0.microseconds)) })
    }
}

extension Attempt.Outcome {
    fileprivate var usage: ChildEnd? {
        if case .ended(let usage) = end { usage } else { nil }
    }

    fileprivate var words: String {
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
        case .success(.declined(let reason)): "declined: \(reason)"
        case .success(.failed(let failure)):
            "failed: \(failure.code.rawValue)" + (failure.detail.isEmpty ? "" : " (\(failure.detail))")
        }
    }
}
