import Database
import Linux
import TestSupport
import Testing

extension HostileClientTests {
    @Suite("Rights that end while a call goes on", .serialized)
    struct RevokedRightTests {
        /// What ends between a request's header and the last byte of its body.
        enum End: String, CaseIterable {
            case session, account, guardianship, document
        }

        @Test(
            "No change is completed whose caller has lost the right to it before the last byte",
            arguments: End.allCases)
        func changes(end: End) throws {
            let service = try HostileService(stallTime: .seconds(30))
            defer { service.remove() }
            let owner = try HostilePerson(service)
            let caller = end == .guardianship ? try owner.makeGuardian() : owner
            let rows = try HostileRoutes().rows.filter { Self.concerns(end, $0) }
            let requests = try rows.map { try caller.request($0) }
            let document = try owner.value("document")
            let concerned = requests.filter { end != .document || $0.names(document) }
            _ = try caller.value("spareToken")
            let before = try owner.state(hasSessions: false)

            let swarm = ClientSwarm(port: service.client.port)
            for request in concerned {
                let bytes = request.whole(id: "ended-\(request.name.filter { $0 != " " })")
                try swarm.add(request, id: request.name, sending: bytes.dropLast() + [])
            }
            // All headers have been read, and nobody was refused.
            try swarm.run(for: .seconds(20)) { _ in try service.runningCount() == concerned.count }
            #expect(try service.runningCount() == concerned.count, "they wait for their last byte")
            try Self.revoke(end, owner, caller, document)
            let after = end == .document ? try owner.state(hasSessions: false) : before
            #expect(swarm.over == [], "they ended early")
            for client in swarm.clients { swarm.send(Array(client.request.whole(id: "").suffix(1)), on: client) }
            swarm.run(for: .seconds(20))
            #expect(swarm.open == [], "still open")
            // A change of rows that finds none has done nothing.
            let completed = swarm.answers { !(400..<500).contains($0) }.filter { !$0.hasSuffix(": 200 []") }
            #expect(completed == [])
            if end == .account { try service.accounts("enable", owner.email) }
            if end == .session || end == .account { try owner.signInAgain() }
            #expect(try owner.state(hasSessions: false) == after)
        }

        @Test("No change that waits for its turn is made once the right to it has ended")
        func waiting() throws {
            let service = try HostileService(stallTime: .seconds(30))
            defer { service.remove() }
            guard service.hasFolder else { return }
            let owner = try HostilePerson(service)
            let caller = try owner.makeGuardian()
            let rows = try HostileRoutes().rows.filter { Self.isOfAthlete($0) && $0.body?.isEmpty != true }
            let requests = try rows.map { try caller.request($0) }
            let before = try owner.state(hasSessions: false)
            let swarm = ClientSwarm(port: service.client.port)
            let database = try SQLiteDatabase(path: service.documentd.program.path("data/documents.sqlite"))
            // Nobody else can change anything meanwhile.
            try database.write { session in
                for request in requests {
                    let bytes = request.whole(id: "waits-\(request.name.filter { $0 != " " })")
                    try swarm.add(request, id: request.name, sending: bytes)
                }
                // The service waits for 5 s.
                swarm.run(for: .seconds(2))
                #expect(swarm.answers { $0 < 300 } == [], "answered without the change")
                #expect(try service.runningCount() > requests.count / 2, "they wait")
                try session.execute("DELETE FROM account_guardians")
            }
            swarm.run(for: .seconds(20))
            #expect(swarm.open == [], "still open")
            #expect(swarm.answers { !(400..<500).contains($0) } == [])
            #expect(try owner.state(hasSessions: false) == before)
        }

        /// Whether a row is a change of an athlete's things. A signature changes nothing: its maker is asked about when it is used.
        private static func isOfAthlete(_ row: HostileRoutes.Row) -> Bool {
            let isAboutAccounts = row.pattern.hasPrefix("/api/account") || row.pattern.hasPrefix("/auth/")
            let signs = row.pattern.contains("/sign/")
            return row.isChange && row.status < 400 && row.caller == .person && !isAboutAccounts && !signs
        }

        /// Whether a row is a change, with a body, for which the right counts.
        private static func concerns(_ end: End, _ row: HostileRoutes.Row) -> Bool {
            // Where nothing is changed in any case, the body is not waited for.
            guard row.isChange, row.body != nil, row.status < 400 else { return false }
            let isSigned = row.query.contains("Token") || row.headers.contains { $0.value == "<signedToken>" }
            switch end {
            case .session: return row.caller == .person
            case .account: return row.caller == .person || isSigned
            case .guardianship:
                let isAboutAccounts = row.pattern.hasPrefix("/api/account") || row.pattern.hasPrefix("/auth/")
                return (row.caller == .person || isSigned) && !isAboutAccounts
            case .document: return row.caller == .person
            }
        }

        private static func revoke(
            _ end: End, _ owner: HostilePerson, _ caller: HostilePerson, _ document: String
        ) throws {
            let place: String
            switch end {
            case .session:
                let spare = ["Authorization": "Bearer \(try caller.value("spareToken"))"]
                try owner.must("POST", "/auth/v1/logout?scope=global", spare, body: [])
                place = "/api/schools"
            case .account:
                try owner.service.accounts("disable", owner.email)
                place = "/api/schools"
            case .guardianship:
                try owner.endGuardianships()
                place = "/api/schools"
            case .document:
                try owner.must("DELETE", "/api/documents/\(document)")
                place = "/api/documents/\(document)"
            }
            _ = try Waiting.forValue("the right does not end") {
                (400..<500).contains(try caller.send("GET", place).status) ? true : nil
            }
            // What a signature opens is noticed within a second, too.
            Time.sleep(.milliseconds(1100))
        }
    }
}

extension HostileRequest {
    /// Whether the request names a thing.
    func names(_ id: String) -> Bool {
        address.contains(id) || String(decoding: body ?? [], as: UTF8.self).contains(id)
    }
}
