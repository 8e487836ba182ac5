public import Media
internal import Synchronization
internal import Wire

/// A record of how a source was opened, for a person who asked: each child, in the order of their ends.
///
/// Several threads may work on one source.
public final class Explanation: Sendable {
    /// One child that was tried, and its own notes.
    public struct Child: Sendable {
        /// Whose child it was: the class asked for, or its successor.
        public let rendererClass: RendererClass
        /// `rendered`, or the words for another end.
        public let outcome: String
        /// Whether the library alone read the source: every library as it is, no reader or shortcut of our own, one thread.
        public let skipsShortcuts: Bool
        /// The limits that the child was under.
        public let limits: Limits
        /// How long the task waited for its admission.
        public let waited: Duration
        /// How long it took to have a renderer to send the task to; it may still have been loading its library then.
        public let started: Duration
        /// The time from the request to the child's end.
        public let ran: Duration
        /// The child's processor time, user and system; `nil` where it is not known.
        public let processorTime: Duration?
        /// The child's largest resident size in bytes; `nil` where it is not known.
        public let peakByteCount: UInt64?
        /// The child's notes on its work, by topic; empty where it did not come so far.
        public let notes: [(topic: String, text: String)]
        /// How long the child's steps took, in their order.
        public let steps: [(name: String, duration: Duration)]
    }

    private let state = Mutex<(children: [Child], service: String?)>(([], nil))

    /// An empty record.
    public init() {}

    /// The children so far.
    public var children: [Child] { state.withLock { $0.children } }

    /// The answer of a service with warm renderers, in words; `nil` where none was asked.
    public var service: String? { state.withLock { $0.service } }

    /// Records the answer of a service with warm renderers, over an earlier one.
    public func note(service: String) { state.withLock { $0.service = service } }

    func add(_ child: Child) { state.withLock { $0.children.append(child) } }
}

extension Explanation.Child {
    init(
        _ outcome: ChildOutcome, of request: RenderRequest, by rendererClass: RendererClass, waited: Duration,
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
