internal import Documents
internal import HTTPServing
internal import HTTPSyntax
internal import HTTPTypes
internal import Hummingbird
internal import Library
internal import Media
internal import People
internal import ThumbnailCache

/// A request for a picture of a document, by a caller who may see it. With or without the router, these steps answer
/// it: from memory while nothing has changed, from the cache, or when the picture is made.
struct PictureCall: Sendable {
    private let api: DocumentAPI
    private let request: HTTPRequest
    private let address: PictureAddress
    private let owner: ID<Person>
    /// Whether the request comes by a signed address.
    private let isVisited: Bool
    private let key: PictureMemory.Key
    /// The store's change number, read before anything else.
    private let changeNumber: Int64

    init(
        _ request: HTTPRequest, for address: PictureAddress, of caller: Caller, isVisited: Bool = false,
        _ api: DocumentAPI
    ) {
        self.api = api
        self.request = request
        self.address = address
        self.isVisited = isVisited
        owner = caller.owner
        key = PictureMemory.Key(request, of: caller)
        changeNumber = api.library.store.changeNumber()
    }

    /// The answer in memory.
    var remembered: ReadyAnswer? {
        api.memory.entry(key, at: changeNumber).map { PictureAnswer.ready($0, to: request) }
    }

    /// The answer with a picture in the cache; `nil` if `response` has to report an error or to wait. Blocks.
    func cached(_ items: QueryItems) -> ReadyAnswer? {
        let query = query(items)
        guard let wanted = try? find(query), case .ready(let stored)? = try? api.library.pictureAtHand(wanted) else {
            return nil
        }
        return PictureAnswer.ready(entry(stored, answer(query, wanted)), to: request)
    }

    /// The answer, once the picture is made.
    ///
    /// - Throws: `notFound`, also for other people's documents; `RequestError`; `Failure`.
    func response(_ items: QueryItems) async throws -> Response {
        if let remembered { return remembered.response }
        let query = query(items)
        // The signer has chosen what the address asks for.
        let turn: VisitorTurn = { [api, owner] in
            try await api.signedVisitors.turn(of: "\(owner)", within: api.patience)
        }
        let (wanted, picture) = try await api.library.picture(
            patience: api.patience, on: api.work, store: api.files, turn: isVisited ? turn : nil
        ) { try find(query) }
        let answer = answer(query, wanted)
        if case .ready(let stored) = picture { _ = entry(stored, answer) }
        return try answer.response(picture)
    }

    private func query(_ items: QueryItems) -> PictureQuery {
        PictureQuery(items, accepted: AcceptedTypes(request.headerFields))
    }

    /// The requested picture. Blocks.
    private func find(_ query: PictureQuery) throws -> WantedPicture {
        let document = try api.documents.document(address.id, of: owner, at: changeNumber) {
            try api.library.store.document(address.id, of: owner)
        }
        return try DocumentAPI.wanted(address.kind, page: address.page, query, of: document, isVisited: isVisited)
    }

    private func answer(_ query: PictureQuery, _ wanted: WantedPicture) -> PictureAnswer {
        PictureAnswer(request: request, wanted: wanted, isLasting: query.namesContent, route: address.kind.route)
    }

    /// A picture as it is answered; it is cached unless it is a stand-in.
    private func entry(_ stored: StoredRendition, _ answer: PictureAnswer) -> PictureMemory.Entry {
        let entry = answer.entry(stored)
        if answer.isFinal(stored) { api.memory.keep(entry, key, at: changeNumber) }
        return entry
    }
}
