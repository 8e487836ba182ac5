import Linux
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("The same call twice at once", .serialized, .timeLimit(.minutes(3)))
    struct SimultaneousCallTests {
        @Test("Every change, sent twice at once, is answered as two calls are, and leaves what one or two calls leave")
        func everyChange() throws {
            let service = try HostileService()
            defer { service.remove() }
            for row in try HostileRoutes().rows where row.isChange { try check(row, service) }
            #expect(service.documentd.lines(at: "error").map(\.text) == [])
        }

        private func check(_ row: HostileRoutes.Row, _ service: HostileService) throws {
            // One after the other, as a person's client would.
            let person = try HostilePerson(service)
            let request = try person.request(row)
            var (calls, states) = ([Int](), [try person.state()])
            for _ in 0..<2 {
                calls += try atOnce(request, service, count: 1)
                states.append(try person.state())
            }
            #expect(calls[0] == row.status, "\(row.name): \(calls[0])")
            // Both at once.
            let other = try HostilePerson(service)
            let statuses = try atOnce(try other.request(row), service)
            // Whatever removes may do so twice.
            let others = row.pairs + (row.method == "DELETE" ? [[row.status, row.status]] : [])
            #expect(
                statuses == calls.sorted() || others.contains(statuses),
                "\(row.name) twice at once: \(statuses), else \(calls)")
            // A pair of its own may also leave everything for a third try.
            let allowed = row.pairs.contains(statuses) ? states : Array(states.dropFirst())
            let state = try other.state()
            #expect(allowed.contains(state), "\(row.name) twice at once: \(Self.difference(state, allowed))")
        }

        /// The lines that no allowed state has.
        private static func difference(_ state: String, _ allowed: [String]) -> String {
            let known = Set(allowed.flatMap { $0.split(separator: "\n") })
            let lines = state.split(separator: "\n").filter { !known.contains($0) }
            let last = Set(state.split(separator: "\n"))
            let missing = (allowed.last ?? "").split(separator: "\n").filter { !last.contains($0) }
            return (lines.map { "has \($0)" } + missing.map { "lacks \($0)" }).joined(separator: "\n")
        }

        /// Sends equal requests up to their last bytes, and then these.
        private func atOnce(_ request: HostileRequest, _ service: HostileService, count: Int = 2) throws -> [Int] {
            let swarm = ClientSwarm(port: service.client.port)
            let bytes = request.whole(id: "twice-\(request.name.filter { $0 != " " })")
            for index in 0..<count { try swarm.add(request, id: "\(index)", sending: bytes.dropLast() + []) }
            swarm.run(for: .milliseconds(count == 1 ? 0 : 30)) { _ in false }
            for client in swarm.clients { swarm.send(Array(bytes.suffix(1)), on: client) }
            swarm.run(for: .seconds(20))
            return swarm.clients.map { $0.answer?.status ?? 0 }.sorted()
        }
    }
}
