internal import HTTPServing
internal import Hummingbird
internal import Linux
internal import MatchStore
internal import Media
internal import People

/// The steps of a session as server-sent events, until it ends, or for a limited time: an event source reconnects
/// automatically, and gets the progress again.
extension JobRoutes {
    @Sendable
    func events(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let turn = try api.streams?.begin(of: context.caller, from: context.passage.network)
        let search = try await shown(request)
        return EventAnswer(context, retryTime: .seconds(2)).response { writer in
            defer { turn?.end() }
            try await tell(search, to: &writer)
        }
    }

    /// Any process may do the work, so the row is polled, less often as time passes.
    private func tell(_ search: ResumeSearch, to writer: inout EventWriter) async throws {
        var (search, told) = (search, JSON.null)
        let begin = Time.monotonic
        var lastWrite = begin
        while true {
            if search.progress != told {
                told = search.progress
                try await writer.write("data: \(told.text)\n\n")
                lastWrite = Time.monotonic
            }
            guard search.state == .processing else { return }
            let now = Time.monotonic
            guard now - begin < api.streamTime else { return }
            if now - lastWrite > .seconds(15) {
                try await writer.writeComment()
                lastWrite = now
            }
            try await Task.sleep(for: now - begin < .seconds(10) ? .milliseconds(60) : .seconds(1))
            let token = search.viewToken
            do {
                search = try await self.search(viewToken: token)
            } catch SearchError.notFound {
                // It was deleted: the next request says so.
                return
            }
        }
    }
}
