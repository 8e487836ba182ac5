internal import Linux
public import Wire

/// Where a child writes down what it does, if somebody asked for that.
package final class Notebook {
    package private(set) var notes = RenderNotes()
    private var lastStep: Duration

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
    /// Notes something for a person who wants to know; where nobody asked, `text` is not even made.
    public func note(_ topic: RenderNote.Topic, _ text: @autoclosure () -> String) { notebook?.write(topic, text()) }

    /// Notes that a step has ended, which began when the one before it did.
    public func finish(_ step: RenderStep.Name) { notebook?.finish(step) }
}
