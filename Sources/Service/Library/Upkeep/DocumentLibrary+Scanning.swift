internal import Documents
internal import Media
internal import Objects
internal import Scanning

extension DocumentLibrary {
    /// Scans the versions in quarantine that no other thread has taken, and releases those that pass. While the scanner is away,
    /// nothing passes.
    func scanQuarantined(_ turns: ScanTurns) throws(DocumentError) {
        guard let scanner else { return }
        var place: StorePlace?
        repeat {
            let page = try store.quarantined(behind: place, limit: 50)
            for document in page.elements where document.failure == nil && turns.take(document.id) {
                defer { turns.leave(document.id) }
                switch try scan(document, by: scanner) {
                case .judged: break
                case .failed: turns.putOff(document.id)
                case .away: return
                }
            }
            place = page.next
        } while place != nil
    }

    private enum Outcome {
        case judged
        /// This file was not judged; others may be.
        case failed
        /// The scanner is out of reach, so others need not be tried.
        case away
    }

    private func scan(_ document: Document, by scanner: any Scanner) throws(DocumentError) -> Outcome {
        do throws(ScanError) {
            switch try scanner.scan(try reader(of: document)) {
            case .clean: try release(document)
            case .infected(let name):
                warn(.unavailable(detail: "malware \(name) in document \(document.id): it stays in quarantine"))
                try condemn(document)
            }
            return .judged
        } catch {
            warn(.unavailable(detail: "document \(document.id) waits for its scan: \(error)"))
            if case .unreachable = error { return .away }
            return .failed
        }
    }

    private func reader(of document: Document) throws(ScanError) -> any ObjectReader {
        do throws(ObjectError) {
            return try objects.open(try ObjectPath(document.file.path))
        } catch {
            throw .unreadable(detail: "\(error)")
        }
    }

    private func release(_ document: Document) throws(ScanError) {
        do throws(DocumentError) {
            try store.release(document.id, of: document.owner)
        } catch {
            if case .notFound = error { return }
            throw .unreadable(detail: "\(error)")
        }
    }

    private func condemn(_ document: Document) throws(ScanError) {
        do throws(DocumentError) {
            try store.condemn(document.id, of: document.owner, reason: "Malware was found in this file.")
        } catch {
            if case .notFound = error { return }
            throw .unreadable(detail: "\(error)")
        }
    }
}
