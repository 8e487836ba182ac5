import Database
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("One person's many requests", .serialized)
    struct FairTurnsTests {
        /// All sixteen threads waited for the lock, and everybody else behind them.
        @Test("Nobody waits for the many changes of somebody else that wait for the database")
        func changes() throws {
            let service = try HostileService(stallTime: .seconds(30))
            defer { service.remove() }
            guard service.hasFolder else { return }
            let (many, other) = (try HostilePerson(service), try HostilePerson(service))
            let routes = ["POST /api/schools", "POST /rest/v1/{table}#schools", "POST /api/communication-templates"]
            let rows = try HostileRoutes().rows.filter { routes.contains($0.name) }
            let requests = try rows.map { try many.request($0) }
            try #require(requests.count == 3)
            let swarm = ClientSwarm(port: service.client.port)
            let database = try SQLiteDatabase(path: service.documentd.program.path("data/documents.sqlite"))
            try database.write { _ in
                for number in 0..<60 {
                    let request = requests[number % 3]
                    try swarm.add(request, id: "\(number)", sending: request.whole(id: "many-\(number)"))
                }
                swarm.run(for: .seconds(1))
                #expect(try other.send("GET", "/rest/v1/schools?select=id").text == "[]")
                #expect(try other.send("GET", "/api/schools").status == 200)
                swarm.run(for: .zero)
                #expect(swarm.over == [], "they still wait: the other one was not behind them")
            }
        }
    }
}
