import Linux
import Media
import RenderHost
import ThumbnailCache
import Thumbnailer

/// The result of `compass thumb` for one file.
struct ThumbResult: Sendable {
    let source: FilePath
    let outcome: Result<Thumbnails, Failure>
    /// For each recipe, the place of its rendition, or the reason why there is none.
    let places: [Result<Place, Failure>]
    /// The size of each recipe's rendition; the bytes themselves are released.
    var byteCounts: [Int] = []
    /// How the file was opened; `nil` without `--explain`.
    var explanation: Explanation?

    /// The destination of a rendition.
    enum Place: Sendable {
        case path(FilePath)
        /// The bytes, which the main thread prints.
        case standardOutput([UInt8])
    }

    /// The first failure, of the file or of a recipe.
    var failure: Failure? {
        if case .failure(let failure) = outcome { return failure }
        for case .failure(let failure) in places { return failure }
        return nil
    }
}

/// Makes the renditions of one file and delivers them to their places.
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

    /// Delivers a rendition to its place.
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
    /// The same without the renditions' bytes, so that results that wait to be printed take little memory.
    var withoutBytes: Thumbnails {
        let results = results.map { result in
            result.map { stored in
                var rendition = stored.rendition
                rendition.bytes = []
                return StoredRendition(rendition: rendition, checksum: stored.checksum, path: stored.path)
            }
        }
        return Thumbnails(
            recipes: recipes, results: results, digest: digest, facts: facts, placeholder: placeholder,
            isCached: isCached, isWarm: isWarm, peakByteCount: peakByteCount, timings: timings)
    }
}
