public import Media

extension SharedPictureFiles {
    /// Reads every file and compares it with its checksum, in the same way as a machine that takes it over.
    ///
    /// - Parameters:
    ///   - repair: removes damaged files, so that they are made again on the next request. Files that do not belong to
    ///     the machines are listed and stay.
    ///   - report: called with each damage when it is found; its place is the file's name.
    /// - Returns: the number of damaged files.
    /// - Throws: `unavailable`; then some files were not read.
    public func verify(repair: Bool = false, report: (CacheDamage) -> Void) throws(Failure) -> Int {
        var count = 0
        try walk { file throws(Failure) in
            guard let reason = try damage(of: file) else { return }
            count += 1
            report(CacheDamage(place: file.name, reason: reason))
            if repair, file.meaning != nil { try remove(file.name) }
        }
        return count
    }

    /// What is wrong with a file, in words; `nil` for an intact one, and for one that has been removed in the meantime.
    private func damage(of file: SharedPictureFile) throws(Failure) -> String? {
        guard let content = file.meaning?.content else { return "not a cache file" }
        if file.byteCount > SharedPictureFile.longest { return "it is too long" }
        guard let bytes = try bytes(of: file) else { return nil }
        switch content {
        case .rendition(let recipe): return PackedRendition.damage(in: bytes, recipe)
        case .facts:
            let facts = SealedRecord.object(in: bytes).flatMap(StoredFacts.init(json:))
            return facts == nil ? "its check fails" : nil
        }
    }

    /// The failure to read one file names it: it may be the only one.
    private func bytes(of file: SharedPictureFile) throws(Failure) -> [UInt8]? {
        do throws(Failure) {
            return try read(file.name)
        } catch {
            let detail = [file.name, error.detail].filter { !$0.isEmpty }.joined(separator: ": ")
            throw Failure(error.code, message: error.message, detail: detail)
        }
    }
}

extension PackedRendition {
    /// What is wrong with bytes stored under a recipe's name; `nil` for intact bytes.
    fileprivate static func damage(in bytes: [UInt8], _ recipe: String) -> String? {
        guard let (record, canonical, rendition) = parts(of: bytes) else { return "its record's check fails" }
        if !Recipe.isName(recipe, ofCanonical: canonical) { return "it belongs to another recipe" }
        if record.rendition(of: rendition) != nil { return nil }
        if rendition.count == record.byteCount { return "its checksum differs" }
        return rendition.count < record.byteCount ? "it is cut short" : "it is too long"
    }
}
