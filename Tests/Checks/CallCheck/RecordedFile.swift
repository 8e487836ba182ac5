import CLinux
import Linux
import Media
import RenderHost

/// The system calls of the renderers for one file.
struct CallRecord {
    let path: String
    let rendererClass: RendererClass
    /// Calls that are not on the list, and files opened outside the class's folders.
    var findings: [String] = []
    /// Whether it ended at its deadline, as a decompression bomb does; its calls are then unknown.
    var isLate = false
    /// Calls that the list refuses with `EPERM`.
    var refused: [String] = []
}

/// One file, sniffed and then opened by the renderer of its type.
struct RecordedFile {
    let path: String
    let host: RenderHost

    /// One record for each task: the sniffer's, those of the renderer and its successor where these ran, those of the readers of text.
    func records() -> [CallRecord] {
        guard let source = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK) else {
            return [CallRecord(path: path, rendererClass: .sniff, findings: ["cannot be opened"])]
        }
        let (sniffed, found) = record(of: .sniff, on: source, as: .octetStream)
        guard let type = found?.facts.mediaType else { return [sniffed] }
        var records = [sniffed]
        let classes = [type.rendererClass, type.rendererClass?.successor, type.textClass == .text ? .text : nil]
        for rendererClass in classes.compactMap(\.self) {
            let (drawn, rendered) = record(of: rendererClass, on: source, as: type)
            records.append(drawn)
            guard rendererClass == .pdf, let page = try? rendered?.bitmaps.first?.greyFile() else { continue }
            records.append(record(of: .recognition, on: page, as: .portableAnymap).record)
        }
        return records
    }

    private func record(
        of rendererClass: RendererClass, on source: Descriptor, as type: MediaType
    ) -> (record: CallRecord, rendered: RenderedSource?) {
        var record = CallRecord(path: path, rendererClass: rendererClass)
        let readsText = [.text, .recognition].contains(rendererClass)
        let boxes = readsText || rendererClass == .sniff ? [] : [rendererClass == .pdf ? 1200 : 512, 100]
        let pictures = boxes.map {
            RenderTask.Picture(box: Box(width: $0, height: $0)!, fit: .inside, gravity: .centre, enlarge: false)
        }
        // Two threads, so that decoders' threads are seen too.
        var task = RenderTask(mediaType: type, limits: Limits(), threadCount: 2, pictures: pictures)
        task.readsText = readsText
        do throws(Failure) {
            let rendered = try host.perform(task, on: source, by: rendererClass)
            if rendered.rendererClass == rendererClass {
                record.read(rendered.facts.title ?? "")
            } else {
                record.findings = ["no record: its child died, and the successor's answered"]
            }
            return (record, rendered)
        } catch {
            switch error.code {
            case .timedOut: record.isLate = true
            case .crashed, .sandboxed, .unavailable: record.findings = ["no record: \(error)"]
            default: record.read(error.detail)
            }
            return (record, nil)
        }
    }
}

extension CallRecord {
    /// Parses the text that `CallRecorder.record` wrote.
    fileprivate mutating func read(_ text: String) {
        for part in text.split(separator: ";") {
            let words = part.split(separator: " ").map(String.init)
            if words.first == "refused" {
                refused += words.dropFirst()
            } else {
                findings.append(words.joined(separator: " "))
            }
        }
    }
}
