internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// The words of pages, so that screens can select, search and read aloud without the file.
extension DocumentAPI {
    var textRoutes: [Route] {
        [
            Route("GET", "/api/documents/{id}/pages/{page}/text") { _, context in
                try await pageText(of: document(context), context)
            },
            Route("GET", "/api/documents/{id}/text") { request, context in
                try await search(document(context), request)
            },
        ]
    }

    /// The words of the page that the path names.
    ///
    /// - Parameter turn: waits for a visitor's turn; `nil` for people who have signed in.
    func pageText(
        of document: Document, _ context: ServiceContext, turn: VisitorTurn? = nil
    ) async throws -> Response {
        let page = try Self.pageNumber(context, of: document)
        let visit = try await turn?()
        return try await data(in: files) {
            // A call that has begun continues when its client has left, and so does its turn.
            defer { visit?.end() }
            return try library.text(of: document, pageIndex: page - 1).json
        }
    }

    /// The pages on which the words of `?q=` occur.
    func search(_ document: Document, _ request: Request, turn: VisitorTurn? = nil) async throws -> Response {
        let items = try request.queryItems()
        guard let query = items["q"], !query.isEmpty, query.utf8.count <= 1000 else {
            throw RequestError(message: "Give the text to search for: ?q=….", field: "q")
        }
        guard let first = Int(items["from"] ?? "1"), first >= 1 else {
            throw RequestError(message: "from must be a page number.", field: "from")
        }
        guard first <= document.facts?.pageCount ?? 1 else { throw DocumentError.notFound(.page) }
        let visit = try await turn?()
        return try await data(in: files) {
            defer { visit?.end() }
            return try library.search(document, for: query, from: first - 1, limit: Self.searchTime).json
        }
    }

    /// The client asks again for the rest, so that it can show what was found so far.
    private static var searchTime: Duration { .seconds(1) }
}

extension TextSearch {
    /// The pages with their matches; each match has its places, one for each line that it touches.
    fileprivate var json: JSON {
        .object([
            "pages": .array(
                pages.map { page, matches in
                    .object([
                        "page": .integer(Int64(page.pageIndex) + 1), "width": .number(page.width),
                        "height": .number(page.height),
                        "matches": .array(
                            matches.map { match in
                                .object([
                                    "text": .string(page.text(of: match.words)),
                                    "places": .array(match.places.map(\.json)),
                                ])
                            }),
                    ])
                }),
            "next_page": nextPageIndex.map { .integer(Int64($0) + 1) } ?? .null,
        ])
    }
}
