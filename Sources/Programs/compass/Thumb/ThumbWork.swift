import Linux
import Media
import RenderHost
import ThumbnailCache
import Thumbnailer

/// One file of `compass thumb`, from its name to its line.
struct ThumbResult: Sendable {
    let source: FilePath
    let outcome: Result<Thumbnails, Failure>
    /// For each recipe where its rendition is now, or why it is nowhere.
    let places: [Result<Place, Failure>]
    /// How many bytes each recipe's rendition has; the bytes themselves are gone by now.
    var byteCounts: [Int] = []
    /// How it was opened, where that was asked for.
    var explanation: Explanation?

    enum Place: Sendable {
        case path(FilePath)
        /// Bytes that the main thread prints.
        case standardOutput([UInt8])
    }

    /// The first failure, if there is one.
    var failure: Failure? {
        if case .failure(let failure) = outcome { return failure }
        for case .failure(let failure) in places { return failure }
        return nil
    }
}

enum ThumbWork {
    static func perform(
        _ path: FilePath, index: Int, _ order: Order, _ plan: OutputPlan, _ session: Session, explains: Bool = false
    ) -> ThumbResult {
        var order = order
        if explains {
            order.explanation = Explanation()
            if !session.asksService { order.explanation?.note(service: "not asked (--alone, warm-socket)") }
        }
        do throws(Failure) {
            let source = try session.open(path)
            let thumbnails = try session.thumbnailer.thumbnails(of: source, order: order)
            let places = zip(order.recipes, thumbnails.results).map { recipe, result in
                place(result, recipe: recipe, source: path, index: index, plan)
            }
            return ThumbResult(
                source: path, outcome: .success(thumbnails.withoutBytes), places: places,
                byteCounts: thumbnails.results.map { (try? $0.get())?.rendition.bytes.count ?? 0 },
                explanation: order.explanation)
        } catch {
            return ThumbResult(source: path, outcome: .failure(error), places: [], explanation: order.explanation)
        }
    }

    /// Brings a rendition to where it was asked for.
    private static func place(
        _ result: Result<StoredRendition, Failure>, recipe: Recipe, source: FilePath, index: Int, _ plan: OutputPlan
    ) -> Result<ThumbResult.Place, Failure> {
        Result { () throws(Failure) in
            let stored = try result.get()
            switch plan {
            case .standardOutput: return .standardOutput(stored.rendition.bytes)
            case .cache:
                guard let path = stored.path else {
                    throw Failure(
                        .unavailable,
                        message: "The cache cannot be written, so there is no path to print. Use -o, or --cache FOLDER."
                    )
                }
                return .path(FilePath(path))
            case .file, .pattern:
                let path = plan.path(
                    source: source, index: index, recipe: recipe,
                    fileExtension: stored.rendition.format.fileExtension)!
                try OutputFile.write(stored.rendition.bytes, to: path)
                return .path(path)
            }
        }
    }
}

extension Thumbnails {
    /// The same with renditions that have no bytes: what waits to be printed does not hold them in memory.
    var withoutBytes: Thumbnails {
        let results = results.map { result in
            result.map { stored in
                var rendition = stored.rendition
                rendition.bytes = []
                return StoredRendition(rendition: rendition, path: stored.path)
            }
        }
        return Thumbnails(
            recipes: recipes, results: results, digest: digest, facts: facts, placeholder: placeholder,
            isCached: isCached, isWarm: isWarm, peakByteCount: peakByteCount, timings: timings)
    }
}
