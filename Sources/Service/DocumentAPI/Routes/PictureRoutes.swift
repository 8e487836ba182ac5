internal import Access
internal import Documents
public import HTTPServing
internal import HTTPSyntax
public import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import ThumbnailCache

/// Pictures, pages, frames, facts and files of documents.
extension DocumentAPI {
    var pictureRoutes: [Route] {
        [
            picture("/api/documents/{id}/thumbnail") { _, _, query in try query.thumbnail() },
            picture("/api/documents/{id}/picture") { document, _, query in
                try query.whole(largest: document.facts?.width)
            },
            picture("/api/documents/{id}/pages/{page}") { document, context, query in
                try query.whole(largest: nil, pageIndex: try Self.pageNumber(context, of: document) - 1)
            },
            picture("/api/documents/{id}/frame") { document, _, query in
                try query.whole(largest: document.facts?.width, time: try query.time())
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
        return try await FileAnswer(request: request, document: document, reader: reader, work: work)
            .response(isDownload: isDownload)
    }

    /// A route that answers with a picture: from memory while nothing has changed, else from the library.
    private func picture(
        _ path: String, _ recipe: @escaping @Sendable (Document, ServiceContext, PictureQuery) throws -> Recipe
    ) -> Route {
        Route("GET", path) { request, context in
            let key = PictureMemory.Key(request.head, of: context.person)
            let changeNumber = library.store.changeNumber()
            if let entry = memory.entry(key, at: changeNumber) {
                return PictureAnswer.ready(entry, to: request.head).response
            }
            let document = try await document(context)
            let query = try Self.query(request)
            let recipe = try recipe(document, context, query)
            let picture = try await library.picture(
                of: document, recipe, standIn: query.standIn(for: recipe), patience: patience, on: work)
            let answer = PictureAnswer(
                request: request, document: document, recipe: recipe, isLasting: query.namesContent, route: path)
            if case .ready(let rendition) = picture, !recipe.hasStandIn(rendition) {
                memory.keep(answer.entry(rendition), key, at: changeNumber)
            }
            return try answer.response(picture)
        }
    }

    /// The picture that memory has for a request, where the caller is known at once.
    public func readyPicture(for request: HTTPRequest) -> ReadyAnswer? {
        // Each call of `changeNumber` asks the kernel.
        guard request.path?.hasPrefix("/api/documents/") == true,
            let caller = identifying.knownCaller(with: Credentials(of: request.headerFields)),
            Audience.person.admits(caller),
            let entry = memory.entry(
                PictureMemory.Key(request, of: caller), at: library.store.changeNumber())
        else { return nil }
        return PictureAnswer.ready(entry, to: request)
    }

    private static func query(_ request: Request) throws -> PictureQuery {
        PictureQuery(try request.queryItems(), accepted: AcceptedTypes(request.headers))
    }

    /// The page's number, from 1; a document whose pages are not counted yet may have any.
    static func pageNumber(_ context: ServiceContext, of document: Document) throws -> Int {
        guard let number = context.parameters.get("page").flatMap(Int.init), number >= 1,
            number <= document.facts?.pageCount ?? 100_000
        else { throw DocumentError.notFound(.page) }
        return number
    }
}

extension Recipe {
    /// Whether a rendition stands in for the WebP that is still to be made.
    fileprivate func hasStandIn(_ rendition: Rendition) -> Bool { format == .webp && rendition.format != .webp }
}
