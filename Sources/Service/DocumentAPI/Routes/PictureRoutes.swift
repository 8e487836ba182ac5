internal import Access
internal import Documents
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media

/// Pictures, pages, frames, facts and files of documents.
extension DocumentAPI {
    var pictureRoutes: [Route] {
        [
            Route("GET", "/api/documents/{id}/thumbnail") { request, context in
                let query = try Self.query(request)
                return try await picture(request, try await document(context), query, try query.thumbnail())
            },
            Route("GET", "/api/documents/{id}/picture") { request, context in
                let document = try await document(context)
                let query = try Self.query(request)
                return try await picture(request, document, query, try query.whole(largest: document.facts?.width))
            },
            Route("GET", "/api/documents/{id}/pages/{page}") { request, context in
                let document = try await document(context)
                let page = try Self.pageNumber(context, of: document)
                let query = try Self.query(request)
                return try await picture(
                    request, document, query, try query.whole(largest: nil, pageIndex: page - 1))
            },
            Route("GET", "/api/documents/{id}/frame") { request, context in
                let document = try await document(context)
                let query = try Self.query(request)
                return try await picture(
                    request, document, query,
                    try query.whole(largest: document.facts?.width, time: try query.time()))
            },
            Route("GET", "/api/documents/{id}/facts") { _, context in
                let document = try await document(context)
                return .data(
                    .object([
                        "facts": document.facts?.json ?? .null,
                        "placeholder": document.placeholder.map(JSON.string) ?? .null,
                        "state": .string(document.state.rawValue),
                    ]))
            },
            Route("GET", "/api/documents/{id}/file", .person, file),
            Route("HEAD", "/api/documents/{id}/file", .person, file),
        ]
    }

    @Sendable
    private func file(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let document = try await document(context)
        let reader = try await work.run { try library.open(document) }
        let isDownload = try request.queryItems().items.contains { $0.name == "download" }
        return FileAnswer(request: request, document: document, reader: reader, work: work)
            .response(isDownload: isDownload)
    }

    private func picture(
        _ request: Request, _ document: Document, _ query: PictureQuery, _ recipe: Recipe
    ) async throws -> Response {
        let picture = try await library.picture(of: document, recipe, patience: patience, on: work)
        let answer = PictureAnswer(
            request: request, document: document, recipe: recipe, isLasting: query.namesContent)
        return try answer.response(picture)
    }

    private static func query(_ request: Request) throws -> PictureQuery {
        PictureQuery(try request.queryItems(), accepted: AcceptedTypes(RequestFields(fields: request.headers)))
    }

    /// The page's number, from 1; a document whose pages are not counted yet may have any.
    static func pageNumber(_ context: ServiceContext, of document: Document) throws -> Int {
        guard let number = context.parameters.get("page").flatMap(Int.init), number >= 1,
            number <= document.facts?.pageCount ?? 100_000
        else { throw DocumentError.notFound(.page) }
        return number
    }
}
