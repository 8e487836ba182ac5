internal import Linux
public import Wire

/// A child's notes on its work, if a person asked for an explanation.
package final class Notebook {
    /// The notes so far.
    package private(set) var notes = RenderNotes()
    private var lastStep: Duration

    /// An empty notebook.
    ///
    /// - Parameter start: when the first step began.
    package init(since start: Duration) { lastStep = start }

    func write(_ topic: RenderNote.Topic, _ text: String) { notes.notes.append(RenderNote(topic, text)) }

    func finish(_ name: RenderStep.Name) {
        let now = Time.monotonic
        let (seconds, attoseconds) = (now - lastStep).components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        lastStep = now
        notes.steps.append(RenderStep(name, microseconds: UInt64(clamping: microseconds)))
    }
}

extension RenderJob {
    /// Notes a text for the explanation; if nobody asked for one, `text` is never evaluated.
    public func note(_ topic: RenderNote.Topic, _ text: @autoclosure () -> String) { notebook?.write(topic, text()) }

    /// Notes the end of a step, which began when the previous step ended.
    public func finish(_ step: RenderStep.Name) { notebook?.finish(step) }
}
