internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Hummingbird
internal import Library
internal import Linux
internal import Media
internal import Objects
internal import People

/// Pictures, pages, frames, facts and files of documents.
extension DocumentAPI {
    var pictureRoutes: [Route] {
        PictureAddress.Kind.allCases.map(picture) + [
            Route("GET", "/api/documents/{id}/facts") { _, context in
                let document = try await document(context)
                return try await data {
                    JSON.object([
                        "facts": document.facts?.json ?? .null,
                        "placeholder": document.placeholder.map(JSON.string) ?? .null,
                        "state": .string(document.state.rawValue),
                    ])
                }
            },
            Route("GET", "/api/documents/{id}/file", .person, file),
            Route("HEAD", "/api/documents/{id}/file", .person, file),
        ]
    }

    @Sendable
    private func file(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await file(of: document(context), request).reauthorized { _ = try await document(context) }
    }

    /// A document's file, or a part of it.
    func file(of document: Document, _ request: Request) async throws -> Response {
        let isDownload = try request.queryItems().items.contains { $0.name == "download" }
        if let address = try await directAddress(of: document, request, isDownload: isDownload) {
            return Response(status: .found, headers: [.location: address, .cacheControl: "private, no-store"])
        }
        let reader = try await files.run { try library.open(document) }
        return try await FileAnswer(
            request: request, document: document, reader: reader, files: files, memory: library.objects.memory.reading
        )
        .response(isDownload: isDownload)
    }

    /// The store's own address of a file that was requested by a signed address; `nil` if the service sends the file.
    private func directAddress(
        of document: Document, _ request: Request, isDownload: Bool
    ) async throws -> String? {
        guard request.method == .get, document.state != .quarantined, let address = SignedAddress(request.uri),
            let token = address.token, let claim = signer.claim(in: token, for: address.plain)
        else { return nil }
        let terms = FileAnswer.terms(
            of: document, isDownload: isDownload, seconds: claim.end - Time.wall / 1_000_000_000)
        return try await work.run { try library.address(of: document, terms) }
    }

    private func picture(_ kind: PictureAddress.Kind) -> Route {
        Route("GET", kind.route) { request, context in
            let address = PictureAddress(
                kind, id: try context.id("id", or: .document), page: context.parameters.get("page"))
            let call = PictureCall(
                request.head, for: address, of: context.person, isVisited: context.isHanded, self)
            return try await call.response(try request.queryItems())
        }
    }

    /// The picture of a document that a query asks for.
    ///
    /// - Throws: `notFound` for a page that the document lacks; `RequestError`.
    static func wanted(
        _ kind: PictureAddress.Kind, page: String?, _ query: PictureQuery, of document: Document, isVisited: Bool
    ) throws -> WantedPicture {
        let recipe: Recipe =
            switch kind {
            case .thumbnail: try query.thumbnail()
            case .picture: try query.whole(largest: document.facts?.width)
            case .page: try query.whole(largest: nil, pageIndex: pageNumber(page, of: document) - 1)
            case .frame: try query.whole(largest: document.facts?.width, time: try query.time())
            }
        return WantedPicture(of: document, recipe, standIn: query.standIn(for: recipe), isVisited: isVisited)
    }

    /// The page that a path names, from 1; a document whose pages are not counted yet may have any page.
    static func pageNumber(_ context: ServiceContext, of document: Document) throws -> Int {
        try pageNumber(context.parameters.get("page"), of: document)
    }

    /// The page that a text names.
    ///
    /// - Throws: `notFound` if the document has no such page.
    static func pageNumber(_ text: String?, of document: Document) throws(DocumentError) -> Int {
        guard let number = text.flatMap(Int.init), number >= 1, number <= document.facts?.pageCount ?? 100_000 else {
            throw .notFound(.page)
        }
        return number
    }
}
