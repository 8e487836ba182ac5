import Linux
import Media
import Synchronization
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("The same call twice at once", .serialized)
    struct SimultaneousCallTests {
        private static let threadCount = 4

        @Test("Every change, sent twice at once, is answered as two calls are, and leaves what one or two calls leave")
        func everyChange() throws {
            let service = try HostileService()
            defer { service.remove() }
            let rows = Mutex(try HostileRoutes().rows.filter(\.isChange)[...])
            let faults = Mutex<[String]>([])
            // Persons wait for their passwords' digests and for the disk, so several do so at once.
            let threads = try (0..<Self.threadCount).map { number in
                try WorkerThread(name: "caller \(number)") {
                    while let row = rows.withLock({ $0.popFirst() }) {
                        let found = Result { try Self.faults(of: row, service) }
                        faults.withLock { faults in
                            switch found {
                            case .success(let found): faults += found
                            case .failure(let error): faults.append("\(row.name): \(error)")
                            }
                        }
                    }
                }
            }
            for thread in threads { thread.join() }
            #expect(faults.withLock { $0 } == [])
            #expect(service.documentd.lines(at: "error").map(\.text) == [])
        }

        private static func faults(of row: HostileRoutes.Row, _ service: HostileService) throws -> [String] {
            // One after the other, as a person's client would.
            let person = try HostilePerson(service)
            let request = try person.request(row)
            var (calls, states) = ([Int](), [try person.state()])
            for _ in 0..<2 {
                calls += try atOnce(request, service, count: 1)
                states.append(try person.state())
            }
            var faults = calls[0] == row.status ? [] : ["\(row.name): \(calls[0])"]
            // Both at once.
            let other = try HostilePerson(service)
            let statuses = try atOnce(try other.request(row), service)
            // Whatever removes may do so twice.
            let others = row.pairs + (row.method == "DELETE" ? [[row.status, row.status]] : [])
            if statuses != calls.sorted(), !others.contains(statuses) {
                faults.append("\(row.name) twice at once: \(statuses), else \(calls)")
            }
            // A pair of its own may also leave everything for a third try.
            var allowed = row.pairs.contains(statuses) ? states : Array(states.dropFirst())
            // The end of a session is noticed within a second, for either person.
            let last = Time.monotonic + .seconds(10)
            var state = try other.state()
            while !allowed.contains(state), Time.monotonic < last {
                allowed.append(try person.state())
                state = try other.state()
            }
            if !allowed.contains(state) {
                faults.append("\(row.name) twice at once: \(difference(state, allowed))")
            }
            return faults
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
        private static func atOnce(_ request: HostileRequest, _ service: HostileService, count: Int = 2) throws -> [Int]
        {
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
