import Checkout
import Foundation
import JobQueue
import Linux
import Testing

@Suite("thumbd while strangers hold connections to its status server", .serialized)
struct ThumbdFloodTests {
    @Test(
        "2,000 connections, in whatever manner: jobs go on, health is told, and few descriptors are taken",
        arguments: ConnectionFlood.Manner.allCases)
    func flood(manner: ConnectionFlood.Manner) throws {
        raiseOwnLimit()
        // Fewer descriptors than connections, and none to be had beyond.
        let thumbd = try ThumbdProgram(launcher: ["/usr/bin/prlimit", "--nofile=400:400"])
        defer { thumbd.remove() }
        let port = try thumbd.port()
        let flood = try ConnectionFlood(manner, count: 2000, port: port)
        defer { flood.end() }
        _ = try thumbd.waiting("the flood does not come") { flood.openingCount >= 2000 ? true : nil }
        for round in 0..<5 {
            var data = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("orientation-1.jpg")))
            data += Data("\(round)".utf8)
            let job = try thumbd.waitFor(
                try thumbd.enqueue(try thumbd.program.write(data, "\(round).jpg")), toBe: .done)
            #expect(job.failureCount == 0, "\(String(describing: job.lastFailure))")
            // A second or two where nothing else runs; beside all other tests on two processors it was nine.
            let health = try PlainHTTP.get("/healthz", port: port, within: 20)
            #expect(health.status == 200)
            #expect(connectionCount(of: thumbd, at: port) <= 32)
        }
        let text = thumbd.text
        #expect(!text.contains("Too many open files"), "\(text)")
        flood.end()
        #expect(try PlainHTTP.get("/metrics", port: port).body.contains("compass_jobs_total"))
        #expect(try thumbd.end() == 0)
    }

    @Test("Whoever says nothing is left alone for 5 seconds, and no longer")
    func idle() throws {
        let thumbd = try ThumbdProgram()
        defer { thumbd.remove() }
        let port = try thumbd.port()
        for manner in [ConnectionFlood.Manner.idle, .slowLoris] {
            let begin = Time.monotonic
            let flood = try ConnectionFlood(manner, count: 1, port: port)
            defer { flood.end() }
            _ = try thumbd.waiting("it is never closed") { flood.openingCount > 1 ? true : nil }
            #expect(Time.monotonic - begin > .seconds(4) && Time.monotonic - begin < .seconds(9), "\(manner)")
        }
        #expect(try thumbd.end() == 0)
    }

    @Test("It takes as many descriptors as it may have, not as it was started with")
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

    /// How many connections the kernel has for the process at its port, accepted ones.
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
            // Not the socket that listens (state 0A).
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
