import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

/// No worker runs unless a test says so: what is ordered stays in flight.
@Suite("Visitors take no place of people who have signed in", .serialized, .deadline)
struct VisitorTests {
    private static let images = ["Accept": "image/jpeg"]
    private static let programs = ["Accept": "image/jpeg, application/json"]

    /// A service with one person and their documents.
    private final class Setup {
        let service: DocumentdProgram
        let own: [String: String]
        var client: ServiceClient { service.client }

        init(_ arguments: [String]) throws {
            service = try DocumentdProgram(["--auth", "local", "--picture-wait", "0.3"] + arguments)
            let made = try service.client.send(
                "POST", "/api/account", json: #"{"email":"ada@example.org","password":"correct horse"}"#)
            own = [
                "Cookie": String((made["set-cookie"] ?? "").prefix { $0 != ";" }), "Sec-Fetch-Site": "same-origin",
                "Content-Type": "application/json",
            ]
        }

        deinit { service.remove() }

        func store(_ sample: String, as type: String) throws -> String {
            let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample(sample))))
            let answer = try client.send(
                "POST", "/api/documents?type=\(type)&file_name=\(sample)",
                headers: own.merging(["Content-Type": "application/octet-stream"]) { $1 }, body: bytes)
            return try #require(answer.data?["id"]?.string, "\(answer.text)")
        }

        /// The query by which a new link's visitors ask.
        func link(to document: String) throws -> String {
            let made = try client.send(
                "POST", "/api/documents/\(document)/links", headers: own, body: Array("{}".utf8))
            return try #require(made.data?["url"]?.string?.components(separatedBy: "?").last, "\(made.text)")
        }

        func signed(_ address: String) throws -> String {
            let made = try client.send(
                "POST", "/api/addresses", headers: own, body: Array(#"{"addresses":["\#(address)"]}"#.utf8))
            return try #require(made.data?["addresses"]?.array?.first?.string, "\(made.text)")
        }

        /// The recipes and priorities of the jobs for single pictures.
        func jobs() throws -> [(recipe: String, priority: String)] {
            let queue = service.program.path("data/documents.sqlite")
            return try service.program.run(["queue", "list", "--queue", queue, "--json"]).json
                .filter { $0["recipes"]?.array?.count == 1 }
                .map { ($0["recipes"]!.array![0].string!, $0["priority"]!.string!) }
        }
    }

    @Test(
        "Whatever size anybody names, few are made, for visitors at a lower priority than for people who have signed in"
    )
    func sizes() throws {
        let setup = try Setup(["--worker", "no"])
        let document = try setup.store("pages-24.pdf", as: "transcript")
        let link = try setup.link(to: document)
        for number in 0..<40 {
            let (width, height) = (250 + number * 7, 100 + number * 3)
            let answer = try setup.client.send(
                "GET", "/api/shared/thumbnail?width=\(width)&height=\(height)&fit=cover&\(link)",
                headers: Self.programs)
            #expect(answer.status == 202, "\(answer.text)")
        }
        #expect(try setup.jobs().count == 1)
        #expect(try setup.jobs().allSatisfy { $0.priority == "upload" })
        // A person gets the same size, at once.
        let owned = try setup.client.send(
            "GET", "/api/documents/\(document)/thumbnail?width=251&height=101",
            headers: setup.own.merging(Self.programs) { $1 })
        #expect(owned.status == 202)
        #expect(try setup.jobs().map(\.priority) == ["interactive"])
    }

    @Test("The moments of a video that visitors get are whole seconds")
    func moments() throws {
        let setup = try Setup(["--worker", "no"])
        let link = try setup.link(to: try setup.store("h264.mp4", as: "highlight_video"))
        for number in 0..<20 {
            _ = try setup.client.send(
                "GET", "/api/shared/frame?time=1.\(10 + number)&width=320&\(link)", headers: Self.programs)
        }
        #expect(try setup.jobs().count == 1)
    }

    @Test("A link, and all visitors together, have a bound on what is made at once; people who have signed in go on")
    func bounds() throws {
        let setup = try Setup(["--worker", "no"])
        let documents = try (0..<3).map { _ in try setup.store("pages-24.pdf", as: "transcript") }
        let links = try documents.map { try setup.link(to: $0) }
        func page(_ number: Int, _ link: String) throws -> ServiceClient.Answer {
            try setup.client.send("GET", "/api/shared/pages/\(number)?width=320&\(link)", headers: Self.programs)
        }
        for number in 1...2 { #expect(try page(number, links[0]).status == 202) }
        // The same page is in flight already.
        for _ in 0..<3 { #expect(try page(1, links[0]).status == 202) }
        let tooMany = try page(3, links[0])
        #expect(tooMany.status == 429 && tooMany.code == "too_many", "\(tooMany.status) \(tooMany.text)")
        #expect(Int(tooMany["retry-after"] ?? "") ?? 0 >= 1)
        // Words and searches take turns, too: reading a page starts a child.
        for part in ["pages/1/text?", "text?q=a&"] {
            let answer = try setup.client.send("GET", "/api/shared/\(part)\(links[0])")
            #expect(answer.status == 429, "\(part): \(answer.status) \(answer.text)")
        }
        // All links of a person have two turns together.
        for link in links.dropFirst() { #expect(try page(5, link).status == 429) }
        // Signed addresses have turns of their own.
        func signed(_ number: Int) throws -> Int {
            let address = try setup.signed("/api/documents/\(documents[2])/pages/\(number)?width=320")
            return try setup.client.send("GET", address, headers: Self.programs).status
        }
        #expect(try (7...9).map { try signed($0) } == [202, 202, 429])
        for number in 10...20 {
            let owned = try setup.client.send(
                "GET", "/api/documents/\(documents[0])/pages/\(number)?width=320",
                headers: setup.own.merging(Self.programs) { $1 })
            #expect(owned.status == 202, "\(owned.text)")
        }
        #expect(try setup.jobs().count { $0.priority == "upload" } == 4)
    }

    @Test("Turns end with what was made: a visitor gets one page after another, and those that wait are served")
    func turns() throws {
        let setup = try Setup(["--picture-wait", "20"])
        let link = try setup.link(to: try setup.store("pages-24.pdf", as: "transcript"))
        for number in 1...12 {
            let answer = try setup.client.send(
                "GET", "/api/shared/pages/\(number)?width=320&\(link)", headers: Self.images)
            #expect(answer.status == 200, "\(number): \(answer.status)")
        }
        let text = try setup.client.send("GET", "/api/shared/pages/1/text?\(link)")
        #expect(text.status == 200)
    }

    @Test("Signed and public pictures of the app's wire have the same bound, and public ones few sizes")
    func wire() throws {
        let setup = try Setup(["--worker", "no", "--public-files", "yes"])
        let key = try setup.service.key()
        let signIn = try setup.client.send(
            "POST", "/auth/v1/token?grant_type=password",
            json: #"{"email":"ada@example.org","password":"correct horse"}"#)
        let headers = [
            "apikey": key, "Authorization": "Bearer \(signIn.json?["access_token"]?.string ?? "")",
            "Content-Type": "application/json",
        ]
        let owner = try #require(signIn.json?["user"]?["id"]?.string)
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("pages-24.pdf"))))
        let path = "documents/\(owner)/transcript/1_a.pdf"
        let stored = try setup.client.send(
            "POST", "/storage/v1/object/\(path)", headers: headers.merging(["Content-Type": "application/pdf"]) { $1 },
            body: bytes)
        #expect(stored.status == 200, "\(stored.text)")
        let place = "/storage/v1/render/image"
        for number in 0..<30 {
            let answer = try setup.client.send(
                "GET", "\(place)/public/\(path)?width=\(330 + number)&height=\(400 + number)&quality=\(40 + number)")
            #expect(answer.status == 503, "\(answer.text)")
        }
        #expect(try setup.jobs().map(\.priority) == ["upload"])
        func signed(_ page: Int) throws -> String {
            let answer = try setup.client.send(
                "POST", "/storage/v1/object/sign/\(path)", headers: headers,
                body: Array(#"{"expiresIn":600,"transform":{"width":200,"page":\#(page)}}"#.utf8))
            return "/storage/v1\(try #require(answer.json?["signedURL"]?.string, "\(answer.text)"))"
        }
        #expect(try setup.client.send("GET", try signed(2)).status == 503)
        for number in 3...5 {
            let refused = try setup.client.send("GET", try signed(number))
            #expect(refused.status == 429 && Int(refused["retry-after"] ?? "") ?? 0 >= 1, "\(refused.text)")
        }
        #expect(try setup.jobs().count == 2)
        let owned = try setup.client.send("GET", "\(place)/authenticated/\(path)?width=201&page=6", headers: headers)
        #expect(owned.status == 503)
        #expect(try setup.jobs().count { $0.priority == "interactive" } == 1)
    }
}
