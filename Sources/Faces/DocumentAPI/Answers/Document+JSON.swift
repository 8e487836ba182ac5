internal import Documents
internal import Media

extension Document: JSONWritable {
    /// Writes the document as clients see it. Addresses of pictures contain the content's digest, so they can be cached
    /// for long.
    func write(to out: inout JSONText) { write(to: &out, withShares: true) }

    /// - Parameter withShares: whether to write the line's schools.
    fileprivate func write(to out: inout JSONText, withShares: Bool) {
        out.object { out in
            out.member("id", id)
            out.member("line_id", line)
            out.member("user_id", owner)
            out.member("type", type.rawValue)
            out.member("type_label", type.label)
            out.member("title", title)
            out.member("description", description)
            writeFile(to: &out)
            out.key("version")
            out.value(Int64(version))
            out.member("school_id", school?.text)
            out.key("is_current")
            out.value(isCurrent)
            if withShares {
                out.key("shared_with_schools")
                out.array { out in
                    for share in shares { out.value(share.school) }
                }
                out.key("shares")
                shares.write(to: &out)
            }
            out.member("state", state.rawValue)
            out.member("failure", failure)
            out.member("placeholder", placeholder)
            out.key("facts")
            out.raw(factsText?.text ?? "null")
            out.member("uploaded_by", uploader)
            out.member("created_at", created.description)
            out.member("updated_at", updated.description)
        }
    }

    private func writeFile(to out: inout JSONText) {
        out.key("file_url")
        out.text { text in
            text.append("/api/documents/")
            text.append(id)
            text.append("/file")
        }
        out.member("file_type", file.mediaType.rawValue)
        out.member("file_name", file.name)
        out.key("file_size")
        out.value(file.byteCount)
        out.key("thumbnail_url")
        out.text { text in
            text.append("/api/documents/")
            text.append(id)
            text.append("/thumbnail?content=")
            text.append(digitsOf: file.digest.bytes.prefix(8))
        }
    }
}

/// A document among the versions of its line. All have the same shares, which are written only with the document alone:
/// a thousand versions that are shared with 500 schools would be 59 MB.
struct DocumentVersion: JSONWritable {
    private let document: Document

    init(_ document: Document) { self.document = document }

    /// Writes the document without its shares.
    func write(to out: inout JSONText) { document.write(to: &out, withShares: false) }
}

extension Share: JSONWritable {
    /// Writes the school and what it may do.
    func write(to out: inout JSONText) {
        out.object { out in
            out.member("school_id", school)
            out.member("permission", permission.rawValue)
        }
    }
}

extension ListPage: JSONWritable {
    /// Writes a page with its counts, and the place of the next one.
    func write(to out: inout JSONText) {
        out.object { out in
            out.key("documents")
            documents.write(to: &out)
            out.key("total")
            out.value(Int64(totalCount))
            out.key("filtered")
            out.value(Int64(filteredCount))
            out.member("next_cursor", next?.text)
        }
    }
}

extension DocumentStatistics {
    /// The sums.
    ///
    /// - Parameter allowed: the person's quota, in bytes.
    func json(allowed: Int64?) -> JSON {
        .object([
            "total": .integer(Int64(totalCount)),
            "shared": .integer(Int64(sharedCount)),
            "most_common_type": mostCommonType.map { .string($0.rawValue) } ?? .null,
            "most_common_type_label": mostCommonType.map { .string($0.label) } ?? .null,
            "by_type": .object(
                DocumentType.allCases.map { JSON.Member($0.rawValue, .integer(Int64(countsByType[$0] ?? 0))) }),
            "total_bytes": .integer(byteCount),
            "allowed_bytes": allowed.map(JSON.integer) ?? .null,
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
