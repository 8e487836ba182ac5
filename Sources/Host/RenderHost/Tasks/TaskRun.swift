internal import CLinux
internal import Linux
internal import Media
internal import Wire

/// The course of an admitted task: from class to class, and in each class from child to child, until one has rendered
/// it or it has failed.
struct TaskRun {
    let task: RenderTask
    let source: Descriptor
    let pixels: PixelPlan
    let host: RenderHost
    /// How long the task waited for its admission.
    let waited: Duration
    /// The deadline of every child on the monotonic clock, extended while bytes of the source are waited for.
    let deadline: Duration
    /// How long bytes of the source were waited for before the task.
    let waitedBefore: Duration

    /// Asks the renderer of this class, and its successors if it declines.
    func rendered(by rendererClass: RendererClass) throws(Failure) -> RenderedSource {
        var candidate: RendererClass? = rendererClass
        while let next = candidate {
            if isTaskCancelled { throw Failure(.cancelled) }
            if let rendered = try renderedUnlessDeclined(by: next) { return rendered }
            candidate = next.successor
        }
        throw Failure(.crashed, detail: "declined by the last renderer that is asked")
    }

    /// `nil` if the renderer declined, or if the file killed it and it has a successor.
    private func renderedUnlessDeclined(by rendererClass: RendererClass) throws(Failure) -> RenderedSource? {
        var isSecondTry = false
        var isOnly = task.isOnly
        while true {
            let begin = Time.monotonic
            let skipsShortcuts = isSecondTry || task.skipsShortcuts
            let isStreamed = task.rangedSource != nil && rendererClass.streamsRangedSources
            let supervisor = host.supervisor(of: rendererClass, withAllLibraries: skipsShortcuts || isStreamed)
            let renderer = try supervisor.processForTask(until: deadline)
            let started = Time.monotonic
            let request = request(isOnly: isOnly, skipsShortcuts: skipsShortcuts)
            let killCount = host.outOfMemoryCount
            let child = ChildRun(task: task, request: request, pixels: pixels)
            let fetched = (task.rangedSource?.waited ?? .zero) - waitedBefore
            let outcome = try child.run(on: source, by: renderer, until: deadline + fetched)
            task.explanation?.add(
                Explanation.Child(
                    outcome, of: request, by: rendererClass, waited: waited, started: started - begin,
                    ran: Time.monotonic - started))
            if host.isCancelled || isTaskCancelled { throw Failure(.cancelled) }
            if let failure = sharedLackOfMemory(outcome, since: killCount) { throw failure }
            // Whatever the child rendered from a source without these bytes is not its picture.
            if let failure = task.rangedSource?.failure { throw failure }
            // A renderer that never was ready has not tried; the next round waits for a new one, or learns why there is
            // none.
            if case .vanished = outcome.end, !renderer.wasReady { continue }
            do throws(Failure) {
                let rendered = try outcome.rendered(by: rendererClass, of: task, pixels)
                supervisor.taskFinished()
                return rendered
            } catch {
                if rendererClass.successor != nil, [.crashed, .sandboxed].contains(error.code) { return nil }
                if isOnly, error.code == .sandboxed {
                    // Only a renderer that outlives the child can name the forbidden call.
                    isOnly = false
                    continue
                }
                if isSecondTry || error.code != .crashed { throw error }
                isSecondTry = true
            }
        }
    }

    private var isTaskCancelled: Bool { task.cancellation?.isCancelled == true }

    /// The request to the next child; a child that follows another need not recognise the source again.
    ///
    /// - Parameters:
    ///   - isOnly: whether the renderer need not outlive the child.
    ///   - skipsShortcuts: whether the library alone reads the source, on one thread.
    private func request(isOnly: Bool, skipsShortcuts: Bool) -> RenderRequest {
        let recognized = task.recognition?.facts?.mediaType
        let known = recognized.flatMap { $0.isRendered(like: task.mediaType) ? $0 : nil }
        return RenderRequest(
            taskID: host.nextTaskID(), mediaType: known ?? task.mediaType,
            recognizes: task.recognition != nil && known == nil, limits: task.limits, pageIndex: task.pageIndex,
            time: task.time, threadCount: skipsShortcuts ? 1 : task.threadCount, explains: task.explanation != nil,
            isOnly: isOnly, skipsShortcuts: skipsShortcuts, hasWindow: task.rangedSource != nil,
            textByteCount: pixels.textByteCount, furtherPageCount: task.furtherPageCount, targets: pixels.targets)
    }

    /// The failure of a child that the kernel killed because all children together took too much memory: the child
    /// itself need not be at fault.
    private func sharedLackOfMemory(_ outcome: ChildOutcome, since killCount: Int) -> Failure? {
        guard case .ended(let end) = outcome.end, end.cause == .signalled(SIGKILL), host.outOfMemoryCount > killCount
        else { return nil }
        return Failure(.tooLarge, detail: "\(Failure.memoryDetail): all files in progress together used too much of it")
    }
}
