public import Media
internal import Synchronization
internal import Wire

/// A record of how a source was opened, for a person who asked: each child, in the order in which they ended.
///
/// Several threads may work on one source.
public final class Explanation: Sendable {
    /// One child that was tried, and its own notes.
    public struct Child: Sendable {
        /// The class of its renderer: the requested class, or its successor.
        public let rendererClass: RendererClass
        /// `rendered`, or the description of another end.
        public let outcome: String
        /// Whether the library alone read the source: all real libraries, no custom reader or shortcut, one thread.
        public let skipsShortcuts: Bool
        /// The limits that applied to the child.
        public let limits: Limits
        /// How long the task waited for its admission.
        public let waited: Duration
        /// How long it took to get a renderer to send the task to; it may still have been loading its library then.
        public let started: Duration
        /// The time from the request to the child's end.
        public let ran: Duration
        /// The child's processor time, user and system; `nil` if unknown.
        public let processorTime: Duration?
        /// The child's peak resident size in bytes; `nil` if unknown.
        public let peakByteCount: UInt64?
        /// The child's notes on its work, by topic; empty if it did not get that far.
        public let notes: [(topic: String, text: String)]
        /// The durations of the child's steps, in order.
        public let steps: [(name: String, duration: Duration)]
    }

    private let state = Mutex<(children: [Child], service: String?)>(([], nil))

    /// An empty record.
    public init() {}

    /// The children so far.
    public var children: [Child] { state.withLock { $0.children } }

    /// The answer of a service with warm renderers, in words; `nil` if none was asked.
    public var service: String? { state.withLock { $0.service } }

    /// Records the answer of a service with warm renderers; replaces an earlier one.
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
