internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// One document as the visitors of a link see it. Each answer checks whether the link is still valid.
extension DocumentAPI {
    var visitorRoutes: [Route] {
        PictureAddress.Kind.allCases.map(sharedPicture) + [
            Route("GET", "/api/shared", .token) { request, context in
                try .data(try await shared(request, context, isVisit: request.method == .get).json)
            },
            Route("GET", "/api/shared/pages/{page}/text", .token) { request, context in
                let shared = try await shared(request, context)
                return try await pageText(of: shared.document, context, turn: turn(of: shared.link))
            },
            Route("GET", "/api/shared/text", .token) { request, context in
                let shared = try await shared(request, context)
                return try await search(shared.document, request, turn: turn(of: shared.link))
            },
            Route("GET", "/api/shared/file", .token, sharedFile),
            Route("HEAD", "/api/shared/file", .token, sharedFile),
        ]
    }

    /// What the request's link opens, after a check of its maker's right.
    ///
    /// - Throws: `notFound`, also if its maker no longer has the right.
    private func shared(
        _ request: Request, _ context: ServiceContext, isVisit: Bool = false
    ) async throws -> SharedDocument {
        let token = try request.linkToken()
        var shared = try await work.run { try library.store.sharedDocument(by: token, isVisit: false) }
        context.subject.note(
            owner: shared.link.owner,
            things: AuditThings([AuditThings(shared.document.id), AuditThings(shared.link.id)]))
        guard try await authenticator.stands(shared.link.handedOut) else { throw DocumentError.notFound(.link) }
        if isVisit { shared = try await work.run { try library.store.sharedDocument(by: token, isVisit: true) } }
        return shared
    }

    /// Waits for a turn, which the visitors of all links of a person share.
    private func turn(of link: ShareLink) -> VisitorTurn {
        { try await visitors.turn(of: "\(link.owner)", within: patience) }
    }

    private func sharedPicture(_ kind: PictureAddress.Kind) -> Route {
        let route = "/api/shared/\(kind.path)"
        return Route("GET", route, .token) { request, context in
            let shared = try await shared(request, context)
            let query = PictureQuery(
                try request.queryItems(), accepted: AcceptedTypes(request.headers), isVisited: true)
            let page = context.parameters.get("page")
            let (wanted, picture) = try await library.picture(
                patience: patience, on: work, store: files, turn: turn(of: shared.link)
            ) {
                try Self.wanted(kind, page: page, query, of: shared.document, isVisited: true)
            }
            // Not for a year, whatever the address says, because the link ends.
            return try PictureAnswer(request: request.head, wanted: wanted, isLasting: false, route: route)
                .response(picture)
        }
    }

    /// The file, if the link's owner lets visitors have it.
    @Sendable
    private func sharedFile(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let shared = try await shared(request, context)
        guard shared.link.permission == .download else { throw ViewOnly() }
        return try await file(of: shared.document, request).reauthorized { [self] in
            _ = try await self.shared(request, context)
        }
    }
}

/// Waits for a visitor's turn.
typealias VisitorTurn = @Sendable () async throws -> MeteredTurn

extension ShareLink {
    /// The link as something that its maker has handed out. It can be ended in a list, so it outlives a sign-out
    /// everywhere.
    var handedOut: HandedOut {
        HandedOut(owner: owner, actor: maker, issued: created, epoch: nil, right: .manage)
    }
}

/// A link by which a file may be viewed, but not downloaded.
struct ViewOnly: Error {
    let message = "This link is for viewing only."
}

extension SharedDocument {
    /// The document without what concerns only its owner: lists, schools, other versions, descriptions.
    fileprivate var json: JSON {
        let isDownload = link.permission == .download
        let content = "content=\(document.file.digest.hex.prefix(16))"
        return .object([
            "title": .string(document.title), "type": .string(document.type.rawValue),
            "type_label": .string(document.type.label), "file_type": .string(document.file.mediaType.rawValue),
            "file_size": .integer(document.file.byteCount),
            "file_name": isDownload ? .string(document.file.name) : .null,
            "file_url": isDownload ? .string(LinkAddress.part("file", link.token)) : .null,
            "thumbnail_url": .string(LinkAddress.part("thumbnail", link.token, content)),
            "state": .string(document.state.rawValue), "failure": document.failure.map(JSON.string) ?? .null,
            "placeholder": document.placeholder.map(JSON.string) ?? .null, "facts": document.facts?.json ?? .null,
            "updated_at": .string(document.updated.description),
            "permission": .string(link.permission.rawValue), "expires_at": .string(link.expires.description),
        ])
    }
}
