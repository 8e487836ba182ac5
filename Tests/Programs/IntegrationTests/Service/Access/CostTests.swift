import Documents
import Foundation
import MatchStore
import Media
import People
import PostgreSQLSupport
import TestDeadline
import TestSupport
import Testing

/// What a call costs in rows and statements, as `costs.txt` says for each route: how it grows with other people's data, and with the caller's
/// own. A route without a row in that table fails.
@Suite(
    "What calls cost", .serialized, .deadline(.seconds(900)),
    .enabled(if: !TestServer.isWanted, "the counter is SQLite's"))
struct CostTests {
    /// How a cost grows where there is four times as much.
    enum Growth: String {
        /// Not at all: what it costs is found by an index.
        case constant
        /// As much as the data, and no more.
        case linear

        /// Some steps and statements are nobody's: the height of an index, and what the service's threads do beside.
        func admits(_ few: StatementCounter.Cost, _ many: StatementCounter.Cost) -> Bool {
            switch self {
            case .constant: many.steps <= few.steps * 5 / 4 + 400 && many.statements <= few.statements + 40
            case .linear: many.steps <= few.steps * 5 + 400 && many.statements <= few.statements * 5 + 40
            }
        }
    }

    private struct Row {
        let route: String
        let others: Growth
        let own: Growth
    }

    private let matrix: AccessMatrix
    private let rows: [Row]

    init() throws {
        StatementCounter.begin()
        let folder = "\(Checkout.folder)/Tests/Programs/IntegrationTests/Service/Access"
        matrix = try AccessMatrix(String(contentsOfFile: "\(folder)/matrix.txt", encoding: .utf8))
        rows = try String(contentsOfFile: "\(folder)/costs.txt", encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map { line in
                let words = line.split(separator: " ").map(String.init)
                return Row(
                    route: "\(words[0]) \(words[1])", others: try #require(Growth(rawValue: words[2]), "\(line)"),
                    own: try #require(Growth(rawValue: words[3]), "\(line)"))
            }
    }

    @Test("Every route has a row in the table of costs, and every row a route")
    func routes() async throws {
        let service = try await AccessService.start()
        let served = Set(service.rules.map { "\($0.method) \($0.path)" })
        await service.stop()
        #expect(served.subtracting(rows.map(\.route)) == [], "routes whose cost nobody has stated")
        #expect(Set(rows.map(\.route)).subtracting(served) == [], "rows without a route")
    }

    @Test("No call costs more for more other people, but for what the table says")
    func others() async throws {
        let service = try await AccessService.start()
        try CostData.addOthers(0..<150, to: service)
        let few = try await costs(on: service) { try await AccessThings(on: service) }
        // As many as the first half of the test has added are among them.
        try CostData.addOthers(150..<1500, to: service)
        let many = try await costs(on: service) { try await AccessThings(on: service) }
        for row in rows { expect(row, row.others, few, many, "for other people's data") }
        await service.stop()
    }

    @Test("A call grows with the caller's own data at most as the table says")
    func own() async throws {
        var found: [[String: StatementCounter.Cost]] = []
        for count in [20, 80] {
            let service = try await AccessService.start()
            found.append(
                try await costs(on: service) {
                    let things = try await AccessThings(on: service)
                    try CostData.add(count, of: things.owner, to: service)
                    return things
                })
            await service.stop()
        }
        for row in rows { expect(row, row.own, found[0], found[1], "for own data") }
    }

    private func expect(
        _ row: Row, _ growth: Growth, _ few: [String: StatementCounter.Cost], _ many: [String: StatementCounter.Cost],
        _ what: String
    ) {
        for (call, less) in few.sorted(by: { $0.key < $1.key }) where call.prefix(while: { $0 != "#" }) == row.route {
            guard let more = many[call] else { continue }
            #expect(growth.admits(less, more), "\(call) \(what): \(less), then \(more)")
        }
    }

    /// Each route by each way to call it, as the one who may.
    ///
    /// - Parameter make: the things of the caller. Whatever a change needs is there once for each of them.
    private func costs(
        on service: AccessService, _ make: () async throws -> AccessThings
    ) async throws -> [String: StatementCounter.Cost] {
        var costs: [String: StatementCounter.Cost] = [:]
        let shared = try await make()
        for section in matrix.sections {
            guard let caller = Self.callers[section.name] else { continue }
            let column = try #require(section.callers.firstIndex(of: caller))
            for row in section.rows where costs["\(row.route)#\(row.variant)"] == nil {
                let isRead = ["GET", "HEAD"].contains(row.method)
                let things = isRead ? shared : try await make()
                let request = AccessMatrixTests.request(row, section.name, caller, things)
                // What is read once and kept is not the call's.
                if isRead { _ = try await service.send(request) }
                costs["\(row.route)#\(row.variant)"] = try await StatementCounter.cost {
                    let answer = try await service.send(request)
                    #expect(answer.status == row.cells[column].status, "\(row.route): \(answer.text)")
                }
            }
        }
        return costs
    }

    /// Who may call, by the matrix's sections.
    private static let callers = [
        "api": "owner", "jobs": "owner", "accounts": "c:owner", "auth": "owner", "links": "download", "wire": "owner",
        "signed": "good", "open": "anybody",
    ]

    @Test("Events are delivered to a follower by reading their own alone")
    func events() async throws {
        let service = try await AccessService.start()
        let things = try await AccessThings(on: service)
        func cost() async throws -> StatementCounter.Cost {
            let latest = try service.store.latestEvent(of: things.owner)
            return try await StatementCounter.cost {
                _ = try service.store.events(after: latest, of: things.owner, limit: 1000)
            }
        }
        try CostData.addOthers(0..<100, to: service)
        let few = try await cost()
        try CostData.addOthers(100..<400, to: service)
        let many = try await cost()
        #expect(Growth.constant.admits(few, many), "\(few), then \(many)")
        await service.stop()
    }
}
