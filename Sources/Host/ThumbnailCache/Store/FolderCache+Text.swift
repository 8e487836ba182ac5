internal import Linux
public import Media

extension FolderCache {
    /// The number of pages whose texts are in one file, if they are read together: the pages from 0, from 128, and so
    /// on.
    public static let textGroupCount = 128

    /// The text of a part in the source's entry, or a failure that still counts; `nil` if there is none, or if it is
    /// damaged.
    ///
    /// - Parameter currentBuild: the build of the renderer that would retry now, called only for a lasting failure.
    public func text(of key: SourceKey, _ part: TextPart, currentBuild: () -> String?) -> StoredText? {
        let place = Self.textPlace(key, part)
        guard let json = folder.record(at: place, limit: SealedRecord.longestText) else {
            guard case .page(let index) = part else { return nil }
            return pages(of: key, from: index, atMost: 1).first.map { .text(.page($0)) }
        }
        guard let stored = StoredText(json: json, of: part) else {
            folder.countDamage()
            return nil
        }
        if case .failure(let failure) = stored, !counts(failure, currentBuild) { return nil }
        return stored
    }

    /// The texts of consecutive pages that were stored together; none if the first one was not.
    public func pages(of key: SourceKey, from first: Int, atMost count: Int) -> [PageText] {
        let start = StoredSeries.start(of: first)
        guard let series = series(of: key, from: start) else { return [] }
        var pages: [PageText] = []
        for index in first..<min(first + count, start + StoredSeries.pageCount) {
            switch series.page(index) {
            case .page(let page): pages.append(page)
            case .missing: return pages
            case .damaged:
                folder.countDamage()
                return pages
            }
        }
        return pages
    }

    private func series(of key: SourceKey, from start: Int) -> StoredSeries? {
        let place = Self.seriesPlace(key, start)
        do throws(SystemError) {
            let contents = try folder.files.read(place, in: folder.root, limit: SealedRecord.longestText)
            folder.noteUse(of: place, lastUse: contents.status.accessed)
            return StoredSeries(from: start, contents.bytes)
        } catch {
            if !error.isAbsence { folder.countDamage() }
            return nil
        }
    }

    /// Stores the texts of pages that were read together, in place of earlier ones and failures; several in one file.
    ///
    /// - Throws: `unavailable`; nothing half-written stays.
    public func storeTexts(_ pages: [PageText], for key: SourceKey) throws(Failure) {
        var rest = pages[...]
        while let first = rest.first {
            let start = StoredSeries.start(of: first.pageIndex)
            let group = rest.prefix { StoredSeries.start(of: $0.pageIndex) == start }
            rest = rest.dropFirst(group.count)
            if group.count == 1 {
                try storeText(.page(first), for: key)
            } else {
                try store(group, from: start, for: key)
            }
        }
    }

    private func store(_ pages: ArraySlice<PageText>, from start: Int, for key: SourceKey) throws(Failure) {
        var series = series(of: key, from: start) ?? StoredSeries(from: start)
        var rest: [PageText] = []
        for page in pages where !series.set(page) { rest.append(page) }
        let (bytes, left) = (series.bytes, Set(rest.map(\.pageIndex)))
        try folder.attempt("written") { () throws(SystemError) in
            try folder.write(bytes, to: Self.seriesPlace(key, start))
            // A page's own record would be found first.
            for page in pages where !left.contains(page.pageIndex) {
                try folder.removeIfThere(Self.textPlace(key, .page(page.pageIndex)))
            }
        }
        CacheUsage(folder: folder).add([bytes.count])
        for page in rest { try storeText(.page(page), for: key) }
    }

    /// Stores the text of a part, in place of an earlier one or a failure.
    ///
    /// - Throws: `unavailable`; nothing half-written stays.
    public func storeText(_ text: SourceText, for key: SourceKey) throws(Failure) {
        try store(.text(text), for: key, text.part)
    }

    /// Stores the failure to read the text of a part. A failure that does not belong to the content is not stored.
    ///
    /// - Throws: `unavailable`.
    public func storeTextFailure(
        _ failure: Failure, build: String, for key: SourceKey, _ part: TextPart
    ) throws(Failure) {
        guard failure.belongsToContent else { return }
        let stored = StoredFailure(failure: failure, build: build, created: folder.now())
        try store(.failure(stored), for: key, part)
    }

    private func store(_ stored: StoredText, for key: SourceKey, _ part: TextPart) throws(Failure) {
        let record = SealedRecord.bytes(of: stored.json(of: part))
        guard record.count <= SealedRecord.longestText else { return }
        let place = Self.textPlace(key, part)
        try folder.attempt("written") { () throws(SystemError) in try folder.write(record, to: place) }
        CacheUsage(folder: folder).add([record.count])
    }

    private static func seriesPlace(_ key: SourceKey, _ start: Int) -> String {
        "\(key.folder)/\(CacheLayout.seriesRecordName(from: start))"
    }

    private static func textPlace(_ key: SourceKey, _ part: TextPart) -> String {
        "\(key.folder)/\(CacheLayout.textRecordName(part))"
    }
}
