import Foundation
import JobQueue
import Linux
import TestDeadline
import TestSupport
import Testing

@Suite("thumbd while clients hold many connections to its status server", .serialized, .deadline)
struct ThumbdFloodTests {
    @Test(
        "Under 2,000 connections of any behaviour jobs go on, health is answered, and few descriptors are used",
        arguments: ConnectionFlood.Manner.allCases)
    func flood(manner: ConnectionFlood.Manner) throws {
        raiseOwnLimit()
        // Fewer descriptors than connections, with no higher hard limit.
        let thumbd = try ThumbdProgram(launcher: ["/usr/bin/prlimit", "--nofile=400:400"])
        defer { thumbd.remove() }
        let port = try thumbd.port()
        let count = 2000
        let flood = try ConnectionFlood(manner, count: count, port: port)
        defer { flood.end() }
        _ = try thumbd.waiting("the flood does not come") { flood.openingCount >= count ? true : nil }
        for round in 0..<5 {
            var data = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("orientation-1.jpg")))
            data += Data("\(round)".utf8)
            let job = try thumbd.waitFor(
                try thumbd.enqueue(try thumbd.program.write(data, "\(round).jpg")), toBe: .done)
            #expect(job.failureCount == 0, "\(String(describing: job.lastFailure))")
            let before = flood.openingCount
            let health = try ServiceClient(port: port).send("GET", "/healthz", within: 240)
            #expect(health.status == 200)
            // How long this takes is the machine's business. Each connection that is closed is opened again, behind this one: those before it
            // had their turn, and few others.
            let passed = flood.openingCount - before
            #expect(passed <= 3 * count, "\(passed) connections had their turn first")
            #expect(connectionCount(of: thumbd, at: port) <= 32)
        }
        let text = thumbd.text
        #expect(!text.contains("Too many open files"), "\(text)")
        flood.end()
        #expect(try ServiceClient(port: port).send("GET", "/metrics").text.contains("compass_jobs_total"))
        #expect(try thumbd.end() == 0)
    }

    @Test("A silent connection is closed after 5 seconds, and not sooner")
    func idle() throws {
        let thumbd = try ThumbdProgram()
        defer { thumbd.remove() }
        let port = try thumbd.port()
        for manner in [ConnectionFlood.Manner.idle, .slowLoris] {
            let begin = Time.monotonic
            let flood = try ConnectionFlood(manner, count: 1, port: port)
            defer { flood.end() }
            _ = try thumbd.waiting("it is never closed") { flood.openingCount > 1 ? true : nil }
            #expect(Time.monotonic - begin > .seconds(4) && Time.monotonic - begin < .seconds(30), "\(manner)")
        }
        #expect(try thumbd.end() == 0)
    }

    @Test("thumbd raises its limit of descriptors to the hard limit")
    func softLimit() throws {
        let thumbd = try ThumbdProgram(launcher: ["/usr/bin/prlimit", "--nofile=64:1000"])
        defer { thumbd.remove() }
        _ = try thumbd.port()
        let limits = try String(contentsOfFile: "/proc/\(thumbd.process.processIdentifier)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        #expect(line.split(separator: " ").dropFirst(3).prefix(2) == ["1000", "1000"])
        _ = try thumbd.waitFor(try thumbd.enqueue(Checkout.sample("alpha.png")), toBe: .done)
        #expect(try thumbd.end() == 0)
    }

    /// The number of accepted connections at the port.
    private func connectionCount(of thumbd: ThumbdProgram, at port: Int) -> Int {
        let process = thumbd.process.processIdentifier
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
        let links = names.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
        }
        let own = Set(links.filter { $0.hasPrefix("socket:[") }.map { $0.dropFirst(8).dropLast() })
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let local = ":" + String(port, radix: 16, uppercase: true)
        return table.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }.count {
            // Without the listening socket (state 0A).
            $0.count > 9 && $0[1].hasSuffix(local) && $0[3] != "0A" && own.contains($0[9])
        }
    }

    private func raiseOwnLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
