import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("A résumé and the jobs that fit it, as the app asks for them", .serialized, .deadline(.seconds(900)))
struct JobSearchTests {
    /// A documentd with the sample postings.
    static func start(_ arguments: [String] = [], in program: CompassProgram? = nil) throws -> DocumentdProgram {
        let program = try program ?? CompassProgram()
        let imported = try CompassProgram.run(
            CompassProgram.built("documentd"),
            [
                "postings", "import", "--data", program.path("data"), "--source", "board", "--as-of-today",
                Checkout.sample("jobs/postings/board.jsonl"),
            ], environment: [:])
        #expect(imported.status == 0, "\(imported)")
        return try DocumentdProgram(arguments, in: program)
    }

    static func bytes(_ sample: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample(sample))))
    }

    private static func send(_ sample: String, to documentd: DocumentdProgram) throws -> JSON {
        let name = sample.split(separator: "/").last.map(String.init) ?? sample
        let answer = try documentd.client.post(
            "/api/resume", fields: [], file: (name, try bytes(sample)))
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(answer.json)
    }

    /// Asks until the session is over.
    static func ended(_ token: String, on documentd: DocumentdProgram) throws -> JSON {
        try Waiting.forValue("the session does not end: \(documentd.text)") {
            let session = try documentd.client.send("GET", "/api/public/session?token=\(token)").json
            return session?["status"]?.string == "processing" ? nil : session
        }
    }

    static func keys(_ json: JSON?) -> [String] { (json?.members ?? []).map(\.key).sorted() }

    @Test("The app's calls, in its order, have exactly the keys that it reads")
    func calls() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let receipt = try Self.send("jobs/resumes/ios-developer.pdf", to: documentd)
        #expect(Self.keys(receipt) == ["search_session_id", "user_search_id", "view_token"])
        #expect(UUID(uuidString: receipt["user_search_id"]?.string ?? "") != nil)
        #expect(UUID(uuidString: receipt["search_session_id"]?.string ?? "") != nil)
        let token = try #require(receipt["view_token"]?.string)
        let session = try Self.ended(token, on: documentd)
        #expect(Self.keys(session) == ["created_at", "error_message", "status"])
        #expect(session["status"]?.string == "completed" && session["error_message"] == .null)
        #expect(Self.isTime(session["created_at"]?.string))

        let national = try #require(
            try documentd.client.send("GET", "/api/public/jobs?token=\(token)").json?.array)
        let local = try #require(
            try documentd.client.send("GET", "/api/public/jobs?token=\(token)&scope=local").json?.array)
        #expect(national.count >= 10 && !local.isEmpty && local.count < national.count)
        for job in national {
            #expect(
                Self.keys(job) == [
                    "category", "company_name", "id", "is_remote", "job_id", "job_url", "location", "posted_at",
                    "source_query", "title",
                ])
            #expect(UUID(uuidString: job["id"]?.string ?? "") != nil && job["is_remote"]?.bool != nil)
            #expect(["job_id", "title", "company_name", "location"].allSatisfy { job[$0]?.string != nil })
            #expect(["direct", "adjacent"].contains(job["category"]?.string))
        }
        #expect(national.first?["title"]?.string?.contains("iOS") == true)

        let job = try #require(national.first?["job_id"]?.string)
        let explanation = try documentd.client.send(
            "POST", "/api/jobs/explanation", json: #"{"job_id":"\#(job)","view_token":"\#(token)"}"#
        ).json
        #expect(Self.keys(explanation) == ["bullets", "explanation_summary"])
        #expect((2...5).contains(explanation?["bullets"]?.array?.count ?? 0))

        let dashboard = try documentd.client.send("GET", "/api/me/dashboard").json
        #expect(
            Self.keys(dashboard) == ["avg_jobs_per_search", "recent_sessions", "total_jobs_found", "total_searches"])
        let recent = try #require(dashboard?["recent_sessions"]?.array?.first)
        #expect(
            Self.keys(recent) == [
                "adjacent_count", "created_at", "direct_count", "id", "title", "total_jobs", "view_token",
            ])
        #expect(recent["total_jobs"]?.int == national.count && recent["view_token"]?.string == token)
        #expect(recent["title"]?.string == "Senior iOS Engineer" && Self.isTime(recent["created_at"]?.string))
    }

    /// The app's decoder takes no fractions of a second.
    private static func isTime(_ text: String?) -> Bool {
        text?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil
    }

    @Test("Events tell the steps until the session ends")
    func events() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let token = try #require(try Self.send("jobs/resumes/nurse.pdf", to: documentd)["view_token"]?.string)
        let answer = try documentd.client.send("GET", "/api/public/session/events?token=\(token)")
        #expect(answer["content-type"] == "text/event-stream")
        let last = answer.text.components(separatedBy: "data: ").last.flatMap { try? JSON(parsing: Array($0.utf8)) }
        #expect(last?["status"]?.string == "completed" && last?["step"]?.string == "searched", "\(answer.text)")
        #expect(last?["title"]?.string == "Registered Nurse, Intensive Care" && (last?["matches"]?.int ?? 0) > 0)
    }

    @Test("The uploader corrects the profile, and the search runs again; the token alone shows no profile")
    func correcting() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let receipt = try Self.send("jobs/resumes/ios-developer.pdf", to: documentd)
        let (id, token) = (receipt["user_search_id"]!.string!, receipt["view_token"]!.string!)
        _ = try Self.ended(token, on: documentd)
        let read = try #require(try documentd.client.send("GET", "/api/resume/\(id)").json)
        #expect(read["profile"]?["basics"]?["label"]?["value"]?.string == "Senior iOS Engineer")
        #expect(read["profile"]?["basics"]?["label"]?["is_corrected"]?.bool == false)
        #expect((read["years_of_experience"]?.int ?? 0) >= 5)
        // Each value with its place in the text of a page.
        let pages = read["pages"]?.array?.compactMap(\.string) ?? []
        let skills = read["profile"]?["skills"]?.array?.compactMap { $0["name"] } ?? []
        for value in [read["profile"]?["basics"]?["email"], skills.first] {
            let words = try Self.quote(#require(value?["place"]), of: pages)
            #expect(words == value?["value"]?.string, "\(value?.text ?? "")")
        }
        #expect(try documentd.client.send("GET", "/api/public/summary?token=\(token)").json?["has_town"]?.bool == true)
        #expect(try documentd.client.send("GET", "/api/resume/\(token)").status == 404)

        let correction = """
            {"profile": {"basics": {"label": "Registered Nurse", "location": "Nowhere at all"}, "skills": [{"name": "Triage"}, {"name": "Wound Care"}],
             "work": [{"position": "Staff Nurse", "name": "Cedar Hospital", "startDate": "2019-03", "is_current": true}]}}
            """
        let changed = try documentd.client.send("PATCH", "/api/resume/\(id)", json: correction)
        #expect(changed.status == 202 && changed.json?["view_token"]?.string == token)
        #expect(changed.json?["search_session_id"] != receipt["search_session_id"])
        #expect(try Self.ended(token, on: documentd)["status"]?.string == "completed")
        let jobs = try documentd.client.send("GET", "/api/public/jobs?token=\(token)").json?.array ?? []
        #expect(jobs.first?["title"]?.string?.contains("Nurse") == true, "\(jobs.prefix(1))")
        let corrected = try documentd.client.send("GET", "/api/resume/\(id)").json
        #expect(corrected?["is_corrected"]?.bool == true)
        #expect(corrected?["profile"]?["work"]?.array?.count == 1)
        let skill = corrected?["profile"]?["skills"]?.array?.first?["name"]
        #expect(skill?["is_corrected"]?.bool == true && skill?["place"] == .null)
        #expect(try documentd.client.send("GET", "/api/public/summary?token=\(token)").json?["has_town"]?.bool == false)

        for (body, field) in [
            (#"{"profile": {"work": [{"position": "Nurse", "startDate": "yesterday"}]}}"#, "work[0].startDate"),
            (#"{"profile": {"work": [{"startDate": "2020"}]}}"#, "work[0].position"),
            (#"{"profile": {"skills": [{"name": " "}]}}"#, "skills[0].name"),
            (#"{"profile": {"basics": {"label": "a\u0000b"}}}"#, "basics.label"),
            (#"{"profile": {"work": [{"name": "A", "highlights": ["a\u0000"]}]}}"#, "work[0].highlights[0]"),
            (#"{"profile": {"basics": {"admin": "yes"}}}"#, "basics.admin"), (#"{"profile": {"admin": {}}}"#, "admin"),
            (#"{"profile": 1}"#, "profile"),
            (#"{"other": {}}"#, "other"),
        ] {
            let answer = try documentd.client.send("PATCH", "/api/resume/\(id)", json: body)
            #expect(answer.status == 400 && answer.json?["field"]?.string == field, "\(body): \(answer.text)")
            #expect(answer.json?["error"]?.string == "invalid" && answer.json?["message"]?.string != nil)
        }
    }

    /// The bytes of a page that a place names.
    private static func quote(_ place: JSON, of pages: [String]) throws -> String {
        let (page, start, end) = (place["page"]?.int ?? 0, place["start"]?.int ?? 0, place["end"]?.int ?? 0)
        let text = Array(try #require(pages.indices.contains(page - 1) ? pages[page - 1] : nil).utf8)
        try #require(start < end && end <= text.count, "\(place.text)")
        return String(decoding: text[start..<end], as: UTF8.self)
    }

    @Test("Evidence has the words of both texts with their places, and is only sent on request")
    func evidence() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let receipt = try Self.send("jobs/resumes/ios-developer.pdf", to: documentd)
        let (id, token) = (receipt["user_search_id"]!.string!, receipt["view_token"]!.string!)
        _ = try Self.ended(token, on: documentd)
        let pages = try documentd.client.send("GET", "/api/resume/\(id)").json?["pages"]?.array?.compactMap(\.string)
        let job = try documentd.client.send("GET", "/api/public/jobs?token=\(token)").json!.array![0]["job_id"]!.string!
        let explanation = try documentd.client.send(
            "POST", "/api/jobs/explanation", json: #"{"job_id":"\#(job)","view_token":"\#(token)","evidence":true}"#
        ).json
        #expect(Self.keys(explanation) == ["bullets", "evidence", "explanation_summary"])
        let evidence = try #require(explanation?["evidence"]?.array)
        #expect(evidence.count == 1 + (explanation?["bullets"]?.array?.count ?? 0))
        var count = 0
        for reason in evidence {
            let places = reason["resume_places"]?.array ?? []
            #expect(places.count == reason["resume"]?.array?.count)
            for (place, words) in zip(places, reason["resume"]?.array ?? []) {
                #expect(try Self.quote(place, of: pages ?? []) == words.string)
                count += 1
            }
            #expect(reason["posting_places"]?.array?.count == reason["posting"]?.array?.count)
            for (place, words) in zip(reason["posting_places"]?.array ?? [], reason["posting"]?.array ?? []) {
                #expect(["title", "company", "location", "text"].contains(place["field"]?.string))
                #expect((place["end"]?.int ?? 0) - (place["start"]?.int ?? 0) == words.string?.utf8.count)
            }
        }
        #expect(count > 0)
    }

    @Test("Who corrects a profile that is not there yet is told so, and not that there is no search")
    func early() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let id = try client.send("POST", "/api/resume/sample", body: []).json?["user_search_id"]?.string ?? ""
        let body = #"{"profile": {"basics": {"label": "Nurse"}}}"#
        let answer = try client.send("PATCH", "/api/resume/\(id)", json: body)
        #expect(answer.status == 409 && answer.json?["error"]?.string == "conflict", "\(answer.text)")
        #expect(answer.message == "The profile cannot be corrected yet: the résumé is still being read.")
        let other = UUID().uuidString.lowercased()
        #expect(try client.send("PATCH", "/api/resume/\(other)", json: body).status == 404)
    }

    @Test("Methods and addresses that are not there are refused in the form of the calls beside them")
    func unknown() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let cases = [
            ("PUT", "/api/resume", 405, "method"), ("GET", "/api/resume", 405, "method"),
            ("POST", "/api/public/jobs", 405, "method"), ("DELETE", "/api/me/dashboard", 405, "method"),
            ("PATCH", "/api/jobs/explanation", 405, "method"), ("GET", "/api/resume/a/b", 404, "not_found"),
            ("GET", "/api/public", 404, "not_found"), ("GET", "/api/jobs/other", 404, "not_found"),
            ("POST", "/api/me", 404, "not_found"),
        ]
        for (method, path, status, code) in cases {
            let answer = try documentd.client.send(method, path)
            let place: Comment = "\(method) \(path): \(answer.text)"
            #expect(answer.status == status && answer.json?["error"]?.string == code, place)
            #expect(Self.keys(answer.json) == ["error", "message"], place)
            #expect((answer["allow"] != nil) == (status == 405))
        }
        for path in ["/api/nothing", "/api/resumes", "/api/menu"] {
            let answer = try documentd.client.send("GET", path)
            #expect(answer.status == 404 && answer.code == "not_found" && answer.json?["success"]?.bool == false)
        }
    }

    @Test("A dashboard of more than fifty searches is read page by page")
    func pages() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        var ids: [String] = []
        for _ in 0..<52 {
            let receipt = try client.send("POST", "/api/resume/sample", body: []).json
            ids.append(receipt?["user_search_id"]?.string ?? "")
        }
        func page(_ query: String) throws -> [String?] {
            let answer = try client.send("GET", "/api/me/dashboard\(query)").json
            #expect(answer?["total_searches"]?.int == 52)
            #expect(
                Self.keys(answer) == ["avg_jobs_per_search", "recent_sessions", "total_jobs_found", "total_searches"])
            return answer?["recent_sessions"]?.array?.map { $0["id"]?.string } ?? []
        }
        let (first, second) = (try page(""), try page("?offset=50"))
        #expect(first.count == 50 && second.count == 2)
        #expect((first + second).compactMap(\.self) == ids.reversed())
        #expect(try page("?offset=52").isEmpty)
        for wrong in ["-1", "x", ""] {
            let answer = try client.send("GET", "/api/me/dashboard?offset=\(wrong)")
            #expect(answer.status == 400 && answer.json?["field"]?.string == "offset", "\(answer.text)")
        }
    }

    @Test("What is deleted is gone: file, profile, matches and token")
    func deleting() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let receipts = try [1, 2, 3].map { _ in try Self.send("jobs/resumes/nurse.pdf", to: documentd) }
        for receipt in receipts { _ = try Self.ended(receipt["view_token"]!.string!, on: documentd) }
        try documentd.waitForStoredFiles(3)
        let (id, token) = (receipts[0]["user_search_id"]!.string!, receipts[0]["view_token"]!.string!)
        #expect(try documentd.client.send("DELETE", "/api/resume/\(id)").status == 204)
        try documentd.waitForStoredFiles(2)
        for path in [
            "/api/public/session?token=\(token)", "/api/public/jobs?token=\(token)",
            "/api/public/summary?token=\(token)",
            "/api/public/session/events?token=\(token)", "/api/resume/\(id)",
        ] {
            let answer = try documentd.client.send("GET", path)
            #expect(answer.status == 404 && answer.json?["error"]?.string == "not_found", "\(path): \(answer.text)")
        }
        #expect(try documentd.client.send("DELETE", "/api/resume/\(id)").status == 404)
        #expect(try documentd.client.send("DELETE", "/api/me/searches").status == 204)
        try documentd.waitForStoredFiles(0)
        let dashboard = try documentd.client.send("GET", "/api/me/dashboard").json
        #expect(dashboard?["total_searches"]?.int == 0 && dashboard?["avg_jobs_per_search"]?.number == 0)
    }

    @Test("The sample résumé shows matches")
    func sample() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let answer = try documentd.client.send("POST", "/api/resume/sample", body: [])
        let token = try #require(answer.json?["view_token"]?.string)
        #expect(try Self.ended(token, on: documentd)["status"]?.string == "completed")
        let jobs = try documentd.client.send("GET", "/api/public/jobs?token=\(token)").json?.array ?? []
        #expect(jobs.count >= 5)
    }

    @Test("What is no résumé is refused with its reason, at once or at the session's end")
    func badFiles() throws {
        let documentd = try Self.start(["--max-upload", "200K"])
        defer { documentd.remove() }
        let client = documentd.client
        for (sample, name) in [("card.webp", "card.webp"), ("html-named.pdf", "a.pdf"), ("card.webp", "resume.pdf")] {
            let answer = try client.post("/api/resume", fields: [], file: (name, try Self.bytes(sample)))
            #expect(answer.status == 415, "\(name): \(answer.text)")
            #expect(answer.json?["message"]?.string == "Invalid file type. Resume requires .pdf, .doc, .docx.")
        }
        #expect(try client.post("/api/resume", fields: [("x", "y")], file: nil).status == 400)
        let long = try Self.bytes("page-1.pdf") + [UInt8](repeating: 10, count: 300_000)
        #expect(try client.post("/api/resume", fields: [], file: ("a.pdf", long)).status == 413)
        let two = [UInt8](
            """
            --b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.4\r\n--b\r\n\
            Content-Disposition: form-data; name="file"; filename="b.pdf"\r\n\r\n%PDF-1.4\r\n--b--\r\n
            """.utf8)
        let twice = try client.send(
            "POST", "/api/resume", headers: ["Content-Type": "multipart/form-data; boundary=b"], body: two)
        #expect(twice.status == 400 && twice.json?["message"]?.string == "Send one file at a time.")
        try documentd.waitForStoredFiles(0)
        for (sample, words) in [
            ("password.pdf", "protected by a password"), ("page-1.pdf", "No text could be read"),
            ("truncated.pdf", "damaged"), ("image.pdf", "does not look like a résumé"),
        ] {
            let token = try #require(try Self.send(sample, to: documentd)["view_token"]?.string)
            let session = try Self.ended(token, on: documentd)
            #expect(session["status"]?.string == "failed", "\(sample)")
            #expect(session["error_message"]?.string?.contains(words) == true, "\(sample): \(session.text)")
            #expect(try client.send("GET", "/api/public/jobs?token=\(token)").json?.array?.isEmpty == true)
        }
    }

    @Test("Where no text can be read, the uploader fills in the profile, and the session is completed by it")
    func filledIn() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let client = documentd.client
        for sample in ["page-1.pdf", "password.pdf", "image.pdf"] {
            let receipt = try Self.send(sample, to: documentd)
            let (id, token) = (receipt["user_search_id"]!.string!, receipt["view_token"]!.string!)
            #expect(try Self.ended(token, on: documentd)["status"]?.string == "failed", "\(sample)")
            let body = #"{"profile": {"basics": {"label": "Registered Nurse"}, "skills": [{"name": "Triage"}]}}"#
            let answer = try client.send("PATCH", "/api/resume/\(id)", json: body)
            #expect(answer.status == 202 && answer.json?["view_token"]?.string == token, "\(answer.text)")
            let session = try Self.ended(token, on: documentd)
            #expect(session["status"]?.string == "completed" && session["error_message"] == .null, "\(session.text)")
            let jobs = try client.send("GET", "/api/public/jobs?token=\(token)").json?.array ?? []
            #expect(jobs.first?["title"]?.string?.contains("Nurse") == true, "\(sample): \(jobs.prefix(1))")
            let job = jobs.first?["job_id"]?.string ?? ""
            let reasons = try client.send(
                "POST", "/api/jobs/explanation", json: #"{"job_id":"\#(job)","view_token":"\#(token)"}"#)
            #expect(reasons.status == 200, "\(reasons.text)")
            let read = try client.send("GET", "/api/resume/\(id)").json
            #expect(read?["profile"]?["basics"]?["label"]?["is_corrected"]?.bool == true)
            #expect(read?["is_corrected"]?.bool == true && read?["pages"]?.array != nil)
        }
    }

    @Test("Tokens and jobs that are made up or another's show nothing")
    func others() throws {
        let documentd = try Self.start()
        defer { documentd.remove() }
        let nurse = try Self.send("jobs/resumes/nurse.pdf", to: documentd)["view_token"]!.string!
        let engineer = try Self.send("jobs/resumes/ios-developer.pdf", to: documentd)["view_token"]!.string!
        for token in [nurse, engineer] { _ = try Self.ended(token, on: documentd) }
        let client = documentd.client
        let job = try client.send("GET", "/api/public/jobs?token=\(nurse)").json!.array![0]["job_id"]!.string!
        for (job, token) in [
            (job, engineer), (job, "made up"), ("made up", nurse), (UUID().uuidString, nurse), ("' OR 1=1", nurse),
        ] {
            let body = #"{"job_id":"\#(job)","view_token":"\#(token)"}"#
            let answer = try client.send("POST", "/api/jobs/explanation", json: body)
            #expect(answer.status == 404 && answer.json?["error"]?.string == "not_found", "\(body): \(answer.text)")
        }
        #expect(try client.send("GET", "/api/public/jobs?token=\(nurse)&scope=moon").status == 400)
        #expect(try client.send("GET", "/api/public/jobs").status == 400)
        #expect(try client.send("GET", "/api/public/session?token=\(nurse.dropLast())").status == 404)
    }

    @Test("A service that is killed in the middle of thirty résumés ends every session")
    func killed() throws {
        let program = try CompassProgram()
        var documentd = try Self.start(["--jobs", "2"], in: program)
        defer { documentd.remove() }
        let samples = ["ios-developer", "nurse", "chef", "marketing-manager", "ux-designer", "construction-manager"]
        var tokens: [String] = []
        for number in 0..<30 {
            // Killed while jobs are waiting, in work and done.
            if [8, 16, 24].contains(number) {
                documentd.stop()
                documentd = try DocumentdProgram(["--jobs", "2"], in: program)
            }
            let sample = "jobs/resumes/\(samples[number % samples.count]).pdf"
            tokens.append(try Self.send(sample, to: documentd)["view_token"]!.string!)
        }
        documentd.stop()
        documentd = try DocumentdProgram(["--jobs", "2"], in: program)
        for token in tokens {
            let session = try Self.ended(token, on: documentd)
            #expect(session["status"]?.string == "completed", "\(session.text)")
            let jobs = try documentd.client.send("GET", "/api/public/jobs?token=\(token)").json?.array ?? []
            #expect(!jobs.isEmpty && Set(jobs.map { $0["job_id"]?.string }).count == jobs.count)
        }
    }
}
