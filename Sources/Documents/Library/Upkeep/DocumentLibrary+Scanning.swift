internal import Documents
internal import Media
internal import Objects

extension DocumentLibrary {
    /// Scans the objects that no scanner has checked and no other thread has taken. While the scanner is unreachable,
    /// nothing passes.
    func scanPending(_ turns: ScanTurns) throws(DocumentError) {
        guard let scanner else { return }
        var place: StorePlace?
        repeat {
            let page = try store.pendingObjects(behind: place, limit: 50)
            for object in page.elements where turns.take(object.id) {
                defer { turns.leave(object.id) }
                switch try scan(object, by: scanner) {
                case .judged: break
                case .failed: turns.putOff(object.id)
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
        /// The scanner is unreachable, so others need not be tried.
        case away
    }

    private func scan(_ object: StoredObject, by scanner: any Scanner) throws(DocumentError) -> Outcome {
        do throws(ScanError) {
            switch try scanner.scan(try reader(of: object)) {
            case .clean: try judge(object, .passed)
            case .infected(let name):
                warn(.unavailable(detail: "malware \(name) found in the object \(object.id): it stays in quarantine"))
                try judge(object, .infected)
            }
            return .judged
        } catch {
            warn(.unavailable(detail: "the object \(object.id) cannot be scanned yet: \(error)"))
            if case .unreachable = error { return .away }
            return .failed
        }
    }

    private func reader(of object: StoredObject) throws(ScanError) -> any ObjectReader {
        do throws(ObjectError) {
            return try objects.open(object.id)
        } catch {
            throw .unreadable(detail: "\(error)")
        }
    }

    private func judge(_ object: StoredObject, _ verdict: StoredObject.Verdict) throws(ScanError) {
        do throws(DocumentError) {
            try store.judge(object.id, verdict, reason: verdict == .infected ? DocumentError.infected : nil)
        } catch {
            throw .unreadable(detail: "\(error)")
        }
    }
}
