import Console
import Linux
import Media
import ThumbnailCache
import Thumbnailer

/// The output of `compass thumb`: results on standard output, failures and facts on standard error.
struct ThumbReport {
    private let json: Bool
    private let endsPathsWithZero: Bool
    private let total: Int
    private var done = 0
    private var bar: ProgressBar
    /// The exit status so far: 3 if a service was unreachable, else 1 if a file failed.
    private(set) var status: Int32 = 0

    init(json: Bool, endsPathsWithZero: Bool, total: Int) {
        self.json = json
        self.endsPathsWithZero = endsPathsWithZero
        self.total = total
        bar = ProgressBar(total: total)
    }

    mutating func tick(_ finished: Int) { bar.show(finished) }

    mutating func add(_ result: ThumbResult) {
        bar.clear()
        done += 1
        if let failure = result.failure { note(failure) }
        if json {
            StandardOutput.write(result.json.text + "\n")
        } else {
            if let text = result.explanationText { StandardError.write(text) }
            printPlaces(result)
            printMessages(result)
        }
        if done < total { bar.show(done) }
    }

    mutating func close() { bar.clear() }

    private mutating func note(_ failure: Failure) { status = max(status, failure.exitStatus) }

    private func printPlaces(_ result: ThumbResult) {
        var paths: [FilePath] = []
        for case .success(let place) in result.places {
            switch place {
            case .path(let path): paths.append(path)
            case .standardOutput(let bytes): StandardOutput.write(bytes)
            }
        }
        if !paths.isEmpty { StandardOutput.write(paths, endingEachWithZero: endsPathsWithZero) }
    }

    private func printMessages(_ result: ThumbResult) {
        switch result.outcome {
        case .failure(let failure): StandardError.write("compass: \(result.source.shown): \(failure.line)\n")
        case .success(let thumbnails):
            // Recipes that failed for the same reason give one message.
            var messages: [String] = []
            for case .failure(let failure) in result.places where !messages.contains(failure.line) {
                messages.append(failure.line)
                StandardError.write("compass: \(result.source.shown): \(failure.line)\n")
            }
            if messages.isEmpty, StandardError.isTerminal, let facts = thumbnails.facts {
                let time = thumbnails.isCached ? "cached" : "\(Int(thumbnails.timings.total.milliseconds.rounded())) ms"
                StandardError.write("\(result.source.shown): \(facts.line) — \(time)\n")
            }
        }
    }
}

extension ThumbResult {
    /// The object that `--json` prints for one file.
    var json: JSON {
        let thumbnails = try? outcome.get()
        return .object([
            "source": .string(source.readable), "sourceBytes": source.hexUnlessText.map(JSON.string),
            "digest": thumbnails?.digest.map { .string($0.hex) },
            "facts": thumbnails?.facts?.json,
            "placeholder": thumbnails?.placeholder.map(JSON.string),
            "renditions": .array(renditions),
            "cached": .bool(thumbnails?.isCached ?? false),
            "warm": .bool(thumbnails?.isWarm ?? false),
            "failure": failure?.json ?? .null,
            "peakByteCount": thumbnails?.peakByteCount.map { .integer(Int64(clamping: $0)) },
            "timings": thumbnails?.timings.json,
            "explanation": explanation?.json,
        ])
    }

    private var renditions: [JSON] {
        guard case .success(let thumbnails) = outcome else { return [] }
        return thumbnails.recipes.indices.map { index in
            let (recipe, result, place) = (thumbnails.recipes[index], thumbnails.results[index], places[index])
            guard case .success(let stored) = result else {
                if case .failure(let failure) = result {
                    return .object(["recipe": .string(recipe.readableName), "failure": failure.json])
                }
                return .null
            }
            var path: FilePath?
            if case .success(.path(let value)) = place { path = value }
            let rendition = stored.rendition
            return .object([
                "recipe": .string(recipe.readableName),
                "path": path.map { .string($0.readable) }, "pathBytes": path?.hexUnlessText.map(JSON.string),
                "format": .string(rendition.format.rawValue), "width": .integer(Int64(rendition.width)),
                "height": .integer(Int64(rendition.height)), "byteCount": .integer(Int64(byteCounts[index])),
                "poster": rendition.poster?.json,
            ])
        }
    }
}

extension Timings {
    /// Milliseconds by step, to a hundredth.
    var json: JSON {
        .object(steps.map { JSON.Member($0.name, .number(($0.duration.milliseconds * 100).rounded() / 100)) })
    }
}
