internal import HTTPServing
internal import HTTPTypes
internal import Hummingbird
internal import JobSearch
internal import Linux
internal import Media
internal import NIOCore
internal import SearchDatabase

/// The steps of a session as server-sent events, until it ends, or for a bounded time: an event source comes back by itself, and is told
/// anew how far the session is.
extension JobRoutes {
    @Sendable
    func events(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let search = try await shown(request)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                // nginx would hold the events back.
                HTTPField.Name("X-Accel-Buffering")!: "no",
            ],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                try await tell(search, writer: &writer)
                try await writer.finish(nil)
            })
    }

    /// Any process may do the work, so the row is looked at, more seldom as time goes on.
    private func tell(_ search: ResumeSearch, writer: inout any ResponseBodyWriter) async throws {
        var (search, told) = (search, JSON.null)
        let begin = Time.monotonic
        var lastWrite = begin
        while true {
            if search.progress != told {
                told = search.progress
                try await writer.write(ByteBuffer(string: "data: \(told.text)\n\n"))
                lastWrite = Time.monotonic
            }
            guard search.state == .processing else { return }
            let now = Time.monotonic
            guard now - begin < api.streamTime else { return }
            if now - lastWrite > .seconds(15) {
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
                lastWrite = now
            }
            try await Task.sleep(for: now - begin < .seconds(10) ? .milliseconds(60) : .seconds(1))
            let token = search.viewToken
            do {
                search = try await self.search(viewToken: token)
            } catch SearchError.notFound {
                // It was deleted: asking again says so.
                return
            }
        }
    }
}
