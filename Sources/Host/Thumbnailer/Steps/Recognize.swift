internal import Linux
internal import Media
internal import RenderHost
internal import SourceFiles

extension Pipeline {
    /// Identifies the source: by the child that was started early, otherwise by the sniffer.
    ///
    /// - Before: nobody can change the source.
    /// - After: `sniffed` is set: no decoder influenced it.
    static func recognize(_ run: inout ThumbnailRun) throws(Failure) -> Progress {
        if let recognized = try run.early?.recognized() {
            run.sniffed = recognized
        } else {
            run.sniffed = try sniff(&run)
        }
        return .ongoing
    }

    private static func sniff(_ run: inout ThumbnailRun) throws(Failure) -> Facts {
        guard run.source.byteCount > 0 else { throw Failure(.corrupt, message: "File is empty.") }
        let start = Time.monotonic
        defer { run.timings.add("sniff", Time.monotonic - start) }
        return try run.engine.host.sniff(
            run.source.descriptor, limits: run.engine.limits, explanation: run.order.explanation,
            cancellation: run.order.cancellation, isOnly: run.engine.isForOneSource,
            rangedSource: run.source.ranged)
    }
}
