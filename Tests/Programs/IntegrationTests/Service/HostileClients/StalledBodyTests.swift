import Linux
import Media
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("Bodies that stop after one byte", .serialized)
    struct StalledBodyTests {
        /// Those that wait for the body, then the others: some of these remove what the former ones need.
        @Test(
            "Every route ends the connection in time, and meanwhile others are answered",
            arguments: HostileRequest.Framing.allCases)
        func everyRoute(framing: HostileRequest.Framing) throws {
            let service = try HostileService()
            defer { service.remove() }
            let (person, other) = (try HostilePerson(service), try HostilePerson(service))
            let rows = try HostileRoutes().rows
            for waits in [true, false] {
                let swarm = ClientSwarm(port: service.client.port)
                for row in rows where (row.body != nil) == waits {
                    let request = try person.request(row)
                    let head = request.head(framing, declaring: 1000, id: "stalled-\(row.name.filter { $0 != " " })")
                    try swarm.add(request, id: row.name, sending: head + HostileRequest.framed([0x7B], framing))
                }
                if waits {
                    swarm.run(for: .milliseconds(700)) { _ in false }
                    #expect(try service.ordinaryTime(of: other) < .seconds(2))
                    #expect(swarm.openCount > swarm.clients.count / 2, "they were refused before they could stall")
                }
                swarm.run(for: HostileService.stallTime + .seconds(2) + HostileService.slack) { swarm in
                    !swarm.clients.contains { $0.isOpen && !Self.isStream($0, rows) }
                }
                #expect(swarm.clients.filter { $0.isOpen && !Self.isStream($0, rows) }.map(\.id) == [], "still open")
                for client in swarm.clients where client.isOpen { swarm.leave(client, resetting: false) }
                #expect(swarm.answers { $0 == 0 || waits && !(400..<500).contains($0) } == [], "not refused")
            }
            try service.settle()
            let errors = service.documentd.lines(at: "error").map(\.text)
            #expect(errors == [], "a slow client is not a fault of the service")
        }

        private static func isStream(_ client: ClientSwarm.Client, _ rows: [HostileRoutes.Row]) -> Bool {
            rows.first { $0.name == client.id }?.isStream == true
        }
    }
}
