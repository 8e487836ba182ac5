internal import Linux
internal import Media
internal import SourceFiles
internal import ThumbnailCache
internal import Wire

/// The work for one request.
struct WarmJob {
    let request: WarmRequest
    let descriptor: Descriptor
    let connection: WarmConnection

    /// Makes the renditions and sends the answer.
    func run(_ engine: Thumbnailer) -> WarmServer.Served.Outcome {
        do throws(Failure) {
            let order = Order(
                recipes: request.recipes, isForced: request.isForced, wantsDigest: request.wantsDigest,
                threadCount: request.threadCount, cancellation: connection.cancellation)
            let source = try SourceFile.opened(descriptor, name: request.name)
            let made = try engine.thumbnails(of: source, order: order)
            return answer(made, missingLayers: engine.missingLayers)
        } catch {
            connection.send(.failed(error))
            return .failed(error)
        }
    }

    private func answer(_ made: Thumbnails, missingLayers: [String]) -> WarmServer.Served.Outcome {
        // A rendition without a path exists only in this process, so the client cannot find it.
        guard made.results.allSatisfy({ (try? $0.get())?.path != nil || $0.failure != nil }) else {
            let failure = Failure(.unavailable, message: "The cache cannot be written.")
            connection.send(.failed(failure))
            return .failed(failure)
        }
        let steps = made.timings.steps.prefix(Wire.longestList).map { step in
            WarmResult.Step(name: step.name, duration: step.duration.nanoseconds)
        }
        let answer = WarmAnswer.made(
            WarmResult(
                digest: made.digest, facts: made.facts, placeholder: made.placeholder,
                failures: made.results.map(\.failure), isCached: made.isCached, peakByteCount: made.peakByteCount,
                steps: steps, duration: connection.age.nanoseconds,
                missingLayers: Array(missingLayers.prefix(Wire.longestList))))
        guard answer.bytes.count <= Wire.longestMessage else {
            connection.send(.refused("its answer is too long"))
            return .refused("the answer is too long")
        }
        connection.send(answer)
        return made.results.lazy.compactMap(\.failure).first.map { .failed($0) } ?? .made(isCached: made.isCached)
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 { UInt64(max(0, milliseconds) * 1e6) }
}

extension Result where Failure == Media.Failure {
    /// `nil` for a success.
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
