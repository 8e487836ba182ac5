internal import Hashing
internal import Media

/// The content of `<recipe>.json`: a rendition's record, or a failure. Its presence is the commit.
package enum EntryRecord: Hashable {
    case rendition(RenditionRecord)
    case failure(StoredFailure)

    /// The checksum of the rendition, if there is one.
    var checksum: Digest? { if case .rendition(let record) = self { record.checksum } else { nil } }

    /// The sealed text of the record, for the recipe with this canonical form.
    package func bytes(recipe canonical: String) -> [UInt8] {
        switch self {
        case .rendition(let record): SealedRecord.bytes(of: record.json(recipe: canonical))
        case .failure(let stored): SealedRecord.bytes(of: stored.json(recipe: canonical))
        }
    }

    /// Parses a record and the canonical form of its recipe; `nil` for a damaged one.
    package static func parse(_ bytes: [UInt8]) -> (record: EntryRecord, canonical: String)? {
        guard let json = SealedRecord.object(in: bytes), let canonical = json["recipe"]?.string else { return nil }
        if json["failure"] != nil {
            return StoredFailure(json: json).map { (.failure($0), canonical) }
        }
        return RenditionRecord(json: json).map { (.rendition($0), canonical) }
    }
}

/// A record of the rendition beside it.
package struct RenditionRecord: Hashable {
    let format: RenditionFormat
    let width: Int
    let height: Int
    let byteCount: Int
    /// SHA-256 of the rendition's bytes.
    let checksum: Digest
    let placeholder: String?
    let poster: Facts.Poster?
    let build: String
    let created: Int64

    init(of rendition: Rendition, created: Int64) {
        format = rendition.format
        width = rendition.width
        height = rendition.height
        byteCount = rendition.bytes.count
        checksum = SHA256.digest(of: rendition.bytes)
        placeholder = rendition.placeholder
        poster = rendition.poster
        build = rendition.build
        self.created = created
    }

    /// The rendition with these bytes; `nil` if they are not the stored ones.
    func rendition(of bytes: [UInt8]) -> Rendition? {
        guard bytes.count == byteCount, SHA256.digest(of: bytes) == checksum else { return nil }
        return Rendition(
            bytes: bytes, format: format, width: width, height: height, placeholder: placeholder, poster: poster,
            build: build)
    }
}

extension RenditionRecord {
    func json(recipe canonical: String) -> JSON {
        .object([
            "recipe": .string(canonical), "format": .string(format.rawValue), "width": .integer(Int64(width)),
            "height": .integer(Int64(height)), "byteCount": .integer(Int64(byteCount)),
            "sha256": .string(checksum.hex), "placeholder": placeholder.map(JSON.string), "poster": poster?.json,
            "build": .string(build), "created": .integer(created),
        ])
    }

    init?(json: JSON) {
        guard let format = json["format"]?.string.flatMap(RenditionFormat.init(rawValue:)),
            let width = json["width"]?.int, let height = json["height"]?.int, let byteCount = json["byteCount"]?.int,
            let checksum = json["sha256"]?.string.flatMap({ Digest(hex: $0) }), let build = json["build"]?.string,
            let created = json["created"]?.integer
        else { return nil }
        self.format = format
        self.width = width
        self.height = height
        self.byteCount = byteCount
        self.checksum = checksum
        self.build = build
        self.created = created
        placeholder = json["placeholder"]?.string
        poster = json["poster"].flatMap(Facts.Poster.init(json:))
    }
}

extension StoredFailure {
    func json(recipe canonical: String) -> JSON {
        .object([
            "recipe": .string(canonical), "failure": .string(failure.code.rawValue),
            "message": .string(failure.message), "detail": .string(failure.detail), "build": .string(build),
            "created": .integer(created),
        ])
    }

    init?(json: JSON) {
        guard let code = json["failure"]?.string.flatMap(Failure.Code.init(rawValue:)),
            let message = json["message"]?.string, let detail = json["detail"]?.string,
            let build = json["build"]?.string, let created = json["created"]?.integer
        else { return nil }
        self.init(failure: Failure(code, message: message, detail: detail), build: build, created: created)
    }
}
