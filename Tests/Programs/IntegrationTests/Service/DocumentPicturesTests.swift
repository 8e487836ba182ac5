import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Pictures, files, texts and events of documentd", .serialized, .deadline)
struct DocumentPicturesTests {
    /// A client that is told of pictures that are not there yet.
    private let accepting = ["Accept": "image/jpeg, application/json"]

    /// The fields of an answer that are the same whenever and by whichever way it comes.
    private static func lastingFields(_ answer: ServiceClient.Answer) -> Set<String> {
        let changing: Set = ["date", "x-request-id", "connection"]
        return Set(answer.headers.filter { !changing.contains($0.name) }.map { "\($0.name): \($0.value)" })
    }

    @Test("Pictures come in the size and format asked for, with conditions, ranges and HEAD")
    func pictures() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        let client = documentd.client
        let video = try documentd.upload("h264.mp4", as: "highlight_video")["id"]!.string!
        let pdf = try documentd.upload("pages-24.pdf", as: "transcript")["id"]!.string!
        for path in [
            "\(video)/thumbnail", "\(video)/thumbnail?preset=list", "\(video)/frame?time=25%25&width=320",
            "\(pdf)/thumbnail?width=100&height=100&fit=cover", "\(pdf)/pages/24?width=500", "\(pdf)/pages/1",
        ] {
            let address = "/api/documents/\(path)"
            let answer = try Waiting.forValue("no picture at \(path)") { () -> ServiceClient.Answer? in
                let answer = try client.send("GET", address, headers: accepting)
                return answer.status == 202 ? nil : answer
            }
            #expect(answer.status == 200 && answer.body.starts(with: [0xFF, 0xD8]), "\(path): \(answer.status)")
            #expect(answer["content-type"] == "image/jpeg" && answer["cache-control"] == "private, max-age=3600")
            let tag = try #require(answer["etag"])
            #expect(!tag.hasPrefix("W/"))
            let remembered = try client.send("GET", address, headers: accepting)
            #expect(remembered.body == answer.body && Self.lastingFields(remembered) == Self.lastingFields(answer))
            let foreign = try client.send(
                "GET", address, headers: accepting.merging(["Origin": "https://a.example"]) { $1 })
            #expect(foreign.status == 403)
            let again = try client.send("GET", address, headers: ["If-None-Match": tag])
            #expect(again.status == 304 && again.body.isEmpty && again["etag"] == tag)
            let part = try client.send("GET", address, headers: ["Range": "bytes=2-5"])
            #expect(part.status == 206 && part.body == Array(answer.body[2...5]))
            #expect(part["content-range"] == "bytes 2-5/\(answer.body.count)")
            let behind = try client.send("GET", address, headers: ["Range": "bytes=99999999-"])
            #expect(behind.status == 416)
            let head = try client.send("HEAD", address)
            #expect(head.status == 200 && head.body.isEmpty && head["etag"] == tag)
            #expect(head["content-length"] == "\(answer.body.count)")
        }
        let webp = try client.send("GET", "/api/documents/\(video)/thumbnail", headers: ["Accept": "image/webp"])
        #expect(webp.status == 200 && webp["content-type"] != "image/jpeg")
        let lasting = try client.send("GET", "/api/documents/\(video)/thumbnail?content=5b0e")
        #expect(lasting["cache-control"]?.contains("immutable") == true)
        for (path, status) in [
            ("\(pdf)/pages/0", 404), ("\(pdf)/pages/25", 404), ("\(pdf)/pages/-1", 404), ("\(pdf)/pages/x", 404),
            ("\(pdf)/pages/99999999999999999999", 404), ("\(video)/thumbnail?preset=huge", 400),
            ("\(video)/thumbnail?width=0", 400), ("\(video)/thumbnail?width=99999&height=1", 400),
            ("\(video)/thumbnail?fit=x&width=5", 400), ("\(video)/frame?time=yesterday", 400),
            ("\(video)/thumbnail?colour=red", 400), ("\(video)/thumbnail?preset=%FF", 400),
            ("\(pdf)/text", 400), ("\(pdf)/text?q=", 400), ("\(pdf)/text?q=a&from=0", 400),
            ("\(pdf)/text?q=a&from=9999", 404), ("\(pdf)/pages/25/text", 404),
        ] {
            let answer = try client.send("GET", "/api/documents/\(path)")
            #expect(answer.status == status && answer.message?.isEmpty == false, "\(path): \(answer.text)")
        }
        let text = try client.send("GET", "/api/documents/\(pdf)/pages/1/text").data
        #expect(text?["pageCount"]?.int == 24 && text?["words"]?.array?.isEmpty == false)
    }

    @Test("A list or a picture is answered by work beside the router as its route answers it")
    func bothWays() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        let client = documentd.client
        let pdf = try documentd.upload("pages-24.pdf", as: "transcript")["id"]!.string!
        let first = "/api/documents/\(pdf)/thumbnail"
        _ = try Waiting.forValue("no picture") { try client.send("GET", first).status == 200 ? true : nil }
        let tag = try #require(try client.send("GET", first)["etag"])
        _ = try documentd.settled(try client.send("GET", "/api/documents/\(pdf)").data!)
        let conditions: [[String: String]] = [
            [:], ["Range": "bytes=2-5"], ["If-None-Match": tag], ["Range": "bytes=99999999-"],
            ["Accept": "image/webp,image/*"], ["Accept": "application/json"], ["Sec-Fetch-Site": "cross-site"],
        ]
        var number = 0
        for path in [
            "", "?type=transcript&sort=name", "?limit=1&shared=false", "?limit=0", "?x", "/\(pdf)/thumbnail?content=",
            "/\(pdf)/thumbnail?preset=list&content=", "/\(pdf)/thumbnail?fit=x&width=9&content=",
            "/\(pdf)/pages/99?content=",
        ] {
            for (method, headers) in conditions.flatMap({ [("GET", $0), ("HEAD", $0)] }) {
                // A content that was not asked for yet is not in memory.
                func answer(_ headers: [String: String]) throws -> ServiceClient.Answer {
                    number += 1
                    let address = "/api/documents\(path)\(path.hasSuffix("content=") ? "\(number)" : "")"
                    return try client.send(method, address, headers: headers)
                }
                let beside = try answer(headers)
                // A request with a length goes to its route.
                let routed = try answer(headers.merging(["Content-Length": "0"]) { $1 })
                #expect(beside.status == routed.status && beside.body == routed.body, "\(method) \(path) \(headers)")
                #expect(Self.lastingFields(beside) == Self.lastingFields(routed), "\(method) \(path) \(headers)")
            }
        }
    }

    @Test("A file comes whole, in ranges, under conditions, or by its head alone, and no browser runs it")
    func files() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let bytes = try DocumentdTests.sample("h264.mp4")
        let address = "/api/documents/\(try documentd.upload("h264.mp4", as: "highlight_video")["id"]!.string!)/file"
        let whole = try client.send("GET", address)
        #expect(whole.status == 200 && whole.body == bytes && whole["accept-ranges"] == "bytes")
        #expect(whole["content-security-policy"]?.contains("sandbox") == true)
        let tag = try #require(whole["etag"])
        for (range, expected) in [
            ("bytes=0-0", 0..<1), ("bytes=100-199", 100..<200), ("bytes=-5", bytes.count - 5..<bytes.count),
            ("bytes=\(bytes.count - 1)-", bytes.count - 1..<bytes.count),
            ("bytes=5-\(bytes.count * 2)", 5..<bytes.count),
        ] {
            let part = try client.send("GET", address, headers: ["Range": range])
            #expect(part.status == 206 && part.body == Array(bytes[expected]), "\(range)")
        }
        for range in ["bytes=\(bytes.count)-", "bytes=999999999999-", "bytes=-0"] {
            let answer = try client.send("GET", address, headers: ["Range": range])
            #expect(answer.status == 416 && answer["content-range"] == "bytes */\(bytes.count)", "\(range)")
        }
        // A range that cannot be read is ignored (RFC 9110, 14.2).
        for range in [
            "bytes=99999999999999999999-", "bytes=5-1", "lines=1-2", "bytes=x", "bytes=", "bytes=1-2-3", "bytes=\u{7F}",
        ] {
            let answer = try client.send("GET", address, headers: ["Range": range])
            #expect([200, 400].contains(answer.status), "\(range): \(answer.status)")
        }
        #expect(try client.send("GET", address, headers: ["If-None-Match": tag]).status == 304)
        #expect(try client.send("GET", address, headers: ["If-Match": "\"another\""]).status == 412)
        let stale = try client.send("GET", address, headers: ["Range": "bytes=0-1", "If-Range": "\"another\""])
        #expect(stale.status == 200 && stale.body.count == bytes.count)
        let head = try client.send("HEAD", address)
        #expect(head.status == 200 && head.body.isEmpty && head["content-length"] == "\(bytes.count)")
        let wrong = try client.send("PUT", address, body: [1])
        #expect(wrong.status == 405 && wrong["allow"]?.contains("GET") == true && wrong.code == "method")
    }

    @Test("Events tell what happens, and go on behind the last one that a client has")
    func events() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        let client = documentd.client
        let id = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        _ = try documentd.settled(try client.send("GET", "/api/documents/\(id)").data!)
        _ = try client.send("PATCH", "/api/documents/\(id)", json: #"{"title": "New"}"#)
        _ = try client.send("DELETE", "/api/documents/\(id)")
        func events(after last: Int, upTo kind: String) throws -> [(number: Int, kind: String)] {
            let head = "GET /api/events HTTP/1.1\r\nHost: \(client.host)\r\nLast-Event-ID: \(last)\r\n\r\n"
            let answer = try client.exchange(Array(head.utf8)) {
                String(decoding: $0, as: UTF8.self).contains("event: \(kind)\ndata:")
            }
            let lines = answer?.text.components(separatedBy: "\n") ?? []
            let numbers = lines.filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
            let kinds = lines.filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
            return Array(zip(numbers, kinds)).map { (number: $0.0, kind: $0.1) }
        }
        let all = try events(after: 0, upTo: "document.deleted")
        #expect(all.map(\.kind) == ["document.stored", "picture.ready", "document.changed", "document.deleted"])
        #expect(all.map(\.number) == all.map(\.number).sorted())
        let rest = try events(after: all[1].number, upTo: "document.deleted")
        #expect(rest.map(\.kind) == ["document.changed", "document.deleted"])
    }
}
