internal import Documents
internal import Media
internal import People

extension AccountArchive.Missing {
    /// The thing as a row of `missing.json`.
    var json: JSON {
        .object(["kind": .string(kind), "name": .string(name), "reason": .string(reason)])
    }
}

extension AccountDesk.Guardian {
    /// A person who acts for the account's person, or is invited to.
    var archived: JSON {
        .object([
            "email": .string((account?.address ?? guardianship.address).text),
            "right": .string(guardianship.right.rawValue), "created_at": .string(guardianship.created.description),
            "accepted_at": guardianship.accepted.map { .string($0.description) } ?? .null,
        ])
    }
}

extension AccountIdentity {
    /// A provider with which the person signs in.
    var archived: JSON {
        .object([
            "provider": .string(provider), "issuer": .string(issuer), "subject": .string(subject),
            "email": .string(address), "created_at": .string(created.description),
            "used_at": .string(used.description),
        ])
    }
}

extension Share {
    /// A school that a document is shared with, by its ID in `schools.json`.
    var archived: JSON { .object(["school_id": .string(school.text), "permission": .string(permission.rawValue)]) }
}

extension ShareLink {
    /// A link without its token, which opens the document for anyone who has the archive.
    var archived: JSON {
        .object([
            "permission": .string(permission.rawValue), "created_at": .string(created.description),
            "expires_at": .string(expires.description), "visit_count": .integer(Int64(visitCount)),
        ])
    }
}

extension CommunicationTemplate {
    /// A template as a row of `templates.json`.
    var archived: JSON {
        .object([
            "name": .string(name), "type": .string(type.rawValue), "body": .string(body),
            "created_at": .string(created.description), "updated_at": .string(updated.description),
        ])
    }
}
