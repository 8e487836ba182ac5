import Console
import Linux
import Media
import RenderHost
import ThumbnailCache
import Thumbnailer

// The output of `compass thumb --explain`: a block of lines per file on standard error, or a member of the JSON line.
extension ThumbResult {
    /// The block of lines; `nil` without `--explain`.
    var explanationText: String? {
        guard let explanation else { return nil }
        var lines = ["\(source.shown):"]
        switch outcome {
        case .failure(let failure): lines.append(row("failure", failure.line))
        case .success(let thumbnails): lines += hostLines(thumbnails)
        }
        if let service = explanation.service { lines.append(row("thumbd", service)) }
        for child in explanation.children { lines += Self.lines(of: child) }
        if case .success(let thumbnails) = outcome { lines += resultLines(thumbnails) }
        return lines.joined(separator: "\n") + "\n"
    }

    private func hostLines(_ thumbnails: Thumbnails) -> [String] {
        var lines: [String] = []
        if let facts = thumbnails.facts { lines.append(row("source", "\(facts.line), \(facts.byteCount) bytes")) }
        lines.append(
            row("key", thumbnails.digest.map { "SHA-256 \($0.hex)" } ?? "the file's identity and times, not hashed"))
        lines.append(
            row(
                "cache",
                thumbnails.isCached
                    ? "all renditions found: nothing was opened (--force opens it)" : "not all renditions found"))
        return lines
    }

    private func resultLines(_ thumbnails: Thumbnails) -> [String] {
        var lines: [String] = []
        for (index, recipe) in thumbnails.recipes.enumerated() {
            let text: String
            switch thumbnails.results[index] {
            case .failure(let failure): text = failure.line
            case .success(let stored):
                let rendition = stored.rendition
                let poster = rendition.poster.map { ", the frame at \($0.time) s (\($0.reason))" } ?? ""
                text =
                    "\(rendition.width) × \(rendition.height), \(rendition.format.rawValue), \(byteCounts[index]) bytes\(poster)"
            }
            lines.append(row(recipe.readableName, text))
        }
        let steps = thumbnails.timings.steps.map { "\($0.name) \(Self.text($0.duration))" }
        return lines + [row("times", steps.joined(separator: ", ") + "; total \(Self.text(thumbnails.timings.total))")]
    }

    private static func lines(of child: Explanation.Child) -> [String] {
        var used = ["\(child.outcome) in \(text(child.ran)) of \(child.limits.wallTime.components.seconds) s"]
        if child.skipsShortcuts { used.append("by the library alone") }
        if child.waited > .milliseconds(1) { used.append("waited \(text(child.waited)) for its turn") }
        if child.started > .microseconds(10) { used.append("started in \(text(child.started))") }
        if let time = child.processorTime { used.append("\(text(time)) of processor time") }
        if let peak = child.peakByteCount {
            used.append("\(peak >> 20) of \(child.limits.memoryByteCount >> 20) MiB")
        }
        var lines = [row(child.rendererClass.programName, used.joined(separator: ", "))]
        lines += child.notes.map { row("  \($0.topic)", $0.text) }
        if !child.steps.isEmpty {
            let steps = child.steps.map { "\($0.name) \(text($0.duration))" }
            lines.append(row("  steps", steps.joined(separator: ", ")))
        }
        return lines
    }

    private static func text(_ duration: Duration) -> String {
        let hundredths = Int((duration.milliseconds * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10) ms"
    }

    private static func row(_ name: String, _ text: String) -> String {
        "  \(name)\(String(repeating: " ", count: max(1, 22 - name.count)))\(text)"
    }

    private func row(_ name: String, _ text: String) -> String { Self.row(name, text) }
}

extension Explanation {
    var json: JSON {
        .object(["service": service.map { .string($0) }, "attempts": .array(children.map(\.json))])
    }
}

extension Explanation.Child {
    fileprivate var json: JSON {
        func milliseconds(_ duration: Duration) -> JSON { .number((duration.milliseconds * 100).rounded() / 100) }
        return .object([
            "renderer": .string(rendererClass.programName),
            "outcome": .string(outcome),
            "skipsShortcuts": .bool(skipsShortcuts),
            "waited": milliseconds(waited),
            "started": milliseconds(started),
            "ran": milliseconds(ran),
            "processorTime": processorTime.map(milliseconds),
            "peakByteCount": peakByteCount.map { .integer(Int64(clamping: $0)) },
            "limits": .object([
                "timeout": .number(Double(limits.wallTime.components.seconds)),
                "memory": .integer(Int64(clamping: limits.memoryByteCount)),
            ]),
            "notes": .array(notes.map { .object(["topic": .string($0.topic), "text": .string($0.text)]) }),
            "steps": .object(steps.map { JSON.Member($0.name, milliseconds($0.duration)) }),
        ])
    }
}
