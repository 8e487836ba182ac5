import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("Pictures that documentd makes ahead, and what it shows until they are there", .serialized, .deadline)
struct PicturesAheadTests {
    /// As browsers ask for the picture of an image element.
    private let browser = ["Accept": "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"]

    @Test("The pages beside a page are made when nobody waits, and no further ones")
    func neighbours() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        let pdf = try documentd.settled(try documentd.upload("pages-24.pdf", as: "transcript"))["id"]!.string!
        for page in [10, 1] {
            let answer = try documentd.client.send(
                "GET", "/api/documents/\(pdf)/pages/\(page)?width=480", headers: browser)
            #expect(answer.status == 200 && answer["content-type"] == "image/webp")
            _ = try Waiting.forValue("no pages beside \(page)") { pages(of: documentd).contains(page + 1) ? true : nil }
        }
        _ = try Waiting.forValue("pages \(pages(of: documentd))") { pages(of: documentd).contains(9) ? true : nil }
        // A rest that would show pages beside pages that nobody has seen.
        usleep(1_500_000)
        #expect(pages(of: documentd) == [1, 2, 9, 10, 11])
        let jobs = try jobs(of: documentd)
        #expect(
            jobs.filter { $0.recipe.hasPrefix("p10-") || $0.recipe.hasPrefix("480x") }.map(\.priority)
                == ["interactive", "interactive"])
        #expect(
            ["p2-", "p9-", "p11-"].allSatisfy { name in
                jobs.contains { $0.recipe.hasPrefix(name) && $0.priority == "backfill" }
            })
    }

    @Test("Of pages made ahead at most one waits for a worker, and a request for it raises it")
    func priority() throws {
        let program = try CompassProgram()
        let first = try DocumentdProgram(in: program)
        let pdf = try first.settled(try first.upload("pages-24.pdf", as: "transcript"))["id"]!.string!
        first.stop()
        let documentd = try DocumentdProgram(["--worker", "no", "--picture-wait", "0"], in: program)
        defer { documentd.remove() }
        for page in [5, 15] {
            let answer = try documentd.client.send("GET", "/api/documents/\(pdf)/pages/\(page)?width=480")
            #expect(answer.status == 503 && answer["retry-after"] != nil)
        }
        func waiting() throws -> [String] {
            try jobs(of: documentd).filter { $0.state == "available" }.map { "\($0.recipe.prefix(3)) \($0.priority)" }
        }
        let expected = { (priority: String) in
            try Waiting.forValue("other jobs: \((try? waiting()) ?? [])") { () -> Bool? in
                let backfill = try waiting().filter { $0.hasPrefix("p6-") || $0.hasPrefix("p16") }
                return backfill.count == 1 && backfill[0].hasSuffix(priority) ? true : nil
            }
        }
        _ = try expected("backfill")
        #expect(try waiting().filter { $0.hasSuffix("interactive") }.count == 2)
        usleep(1_200_000)
        #expect(try waiting().count == 3)
        let ahead = try waiting().first { $0.hasSuffix("backfill") }!.drop { !$0.isNumber }.prefix { $0.isNumber }
        _ = try documentd.client.send("GET", "/api/documents/\(pdf)/pages/\(ahead)?width=480")
        _ = try expected("interactive")
    }

    @Test("A browser gets the picture that is there at once, and WebP as soon as it was made")
    func standIn() throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        let video = try documentd.settled(try documentd.upload("h264.mp4", as: "highlight_video"))["id"]!.string!
        let address = "/api/documents/\(video)/thumbnail?preset=grid"
        let jpeg = try documentd.client.send("GET", address, headers: browser)
        #expect(jpeg.status == 200 && jpeg["content-type"] == "image/jpeg" && jpeg["vary"] == "Accept")
        let webp = try Waiting.forValue("no WebP") { () -> ServiceClient.Answer? in
            let answer = try documentd.client.send("GET", address, headers: browser)
            return answer["content-type"] == "image/webp" ? answer : nil
        }
        #expect(webp.body.starts(with: Array("RIFF".utf8)) && webp["etag"] != jpeg["etag"])
        #expect(try documentd.client.send("GET", address)["content-type"] == "image/jpeg")
        // Who likes WebP best waits for it.
        let preferring = ["Accept": "image/webp, image/*;q=0.5"]
        let list = try documentd.client.send(
            "GET", "/api/documents/\(video)/thumbnail?preset=list", headers: preferring)
        #expect(list["content-type"] == "image/webp")
    }

    @Test("An image element that would wait gets the placeholder drawn, in the shape of the picture")
    func placeholder() throws {
        let program = try CompassProgram()
        let first = try DocumentdProgram(in: program)
        let video = try first.settled(try first.upload("h264.mp4", as: "highlight_video"))
        #expect(video["placeholder"]?.string?.isEmpty == false)
        first.stop()
        let documentd = try DocumentdProgram(["--worker", "no", "--picture-wait", "0"], in: program)
        defer { documentd.remove() }
        func thumbnail(_ id: String) throws -> ServiceClient.Answer {
            try documentd.client.send(
                "GET", "/api/documents/\(id)/thumbnail?width=300&height=100&fit=inside", headers: browser)
        }
        let drawn = try thumbnail(video["id"]!.string!)
        #expect(drawn.status == 200 && drawn["content-type"] == "image/png" && drawn["cache-control"] == "no-store")
        #expect(drawn["retry-after"] != nil)
        // Width and height stand in the first chunk of a PNG (ISO 15948, 11.2.2).
        #expect(Array(drawn.body[16..<24]) == [0, 0, 0, 32, 0, 0, 0, 18])
        // Without a placeholder, the icon of the type.
        let icon = try thumbnail(try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!)
        #expect(icon.status == 200 && icon["cache-control"] == "no-store")
        #expect(icon.body[16..<24] != drawn.body[16..<24])
    }

    /// The numbers of the pages that the cache has in the width that the tests ask for.
    private func pages(of documentd: DocumentdProgram) -> [Int] {
        documentd.cachedFiles.compactMap { path in
            let name = path.split(separator: "/").last!
            guard name.contains("480x"), name.hasSuffix(".webp") else { return nil }
            return name.hasPrefix("p") ? Int(name.dropFirst().prefix { $0.isNumber }) : 1
        }.sorted()
    }

    private func jobs(of documentd: DocumentdProgram) throws -> [(recipe: String, priority: String, state: String)] {
        let queue = documentd.program.path("data/documents.sqlite")
        return try documentd.program.run(["queue", "list", "--queue", queue, "--json"]).json.map { job in
            (job["recipes"]!.array![0].string!, job["priority"]!.string!, job["state"]!.string!)
        }
    }
}
