internal import Documents
internal import Media

extension Document {
    /// The document as clients see it. Addresses of pictures carry the content's digest, so they can be kept for long.
    var json: JSON {
        let address = "/api/documents/\(id)"
        let content = file.digest.hex.prefix(16)
        return .object([
            "id": .string(id.text),
            "line_id": .string(line.text),
            "user_id": .string(owner.text),
            "type": .string(type.rawValue),
            "type_label": .string(type.label),
            "title": .string(title),
            "description": description.map(JSON.string) ?? .null,
            "file_url": .string("\(address)/file"),
            "file_type": .string(file.mediaType.rawValue),
            "file_name": .string(file.name),
            "file_size": .integer(file.byteCount),
            "thumbnail_url": .string("\(address)/thumbnail?content=\(content)"),
            "version": .integer(Int64(version)),
            "school_id": school.map { .string($0.text) } ?? .null,
            "is_current": .bool(isCurrent),
            "shared_with_schools": .array(shares.map { .string($0.school.text) }),
            "shares": .array(
                shares.map {
                    .object([
                        "school_id": .string($0.school.text), "permission": .string($0.permission.rawValue),
                    ])
                }),
            "state": .string(state.rawValue),
            "failure": failure.map(JSON.string) ?? .null,
            "placeholder": placeholder.map(JSON.string) ?? .null,
            "facts": facts?.json ?? .null,
            "uploaded_by": .string(uploader.text),
            "created_at": .string(created.description),
            "updated_at": .string(updated.description),
        ])
    }
}

extension ListPage {
    /// A page with its counts, and the place of the next one.
    var json: JSON {
        .object([
            "documents": .array(documents.map(\.json)),
            "total": .integer(Int64(totalCount)),
            "filtered": .integer(Int64(filteredCount)),
            "next_cursor": next.map { .string($0.text) } ?? .null,
        ])
    }
}

extension DocumentStatistics {
    /// The sums.
    var json: JSON {
        .object([
            "total": .integer(Int64(totalCount)),
            "shared": .integer(Int64(sharedCount)),
            "most_common_type": mostCommonType.map { .string($0.rawValue) } ?? .null,
            "most_common_type_label": mostCommonType.map { .string($0.label) } ?? .null,
            "by_type": .object(
                DocumentType.allCases.map { JSON.Member($0.rawValue, .integer(Int64(countsByType[$0] ?? 0))) }),
            "total_bytes": .integer(byteCount),
        ])
    }
}

extension School {
    /// The school as clients see it.
    var json: JSON {
        .object(["id": .string(id.text), "name": .string(name), "created_at": .string(created.description)])
    }
}

extension CommunicationTemplate {
    /// The template as clients see it.
    var json: JSON {
        .object([
            "id": .string(id.text), "name": .string(name), "type": .string(type.rawValue), "body": .string(body),
            "variables": .array(variables.map(JSON.string)), "created_at": .string(created.description),
            "updated_at": .string(updated.description),
        ])
    }
}
