import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

/// What JobMatchNow's app sends, in its order, for a person with an account.
@Suite("The calls of JobMatchNow's app, signed in", .serialized, .deadline)
struct AppCallsTests {
    private static let account = #"{"email":"ada@example.org","password":"correct horse","data":{"name":"Ada L."}}"#
    private static let json = ["Content-Type": "application/json", "X-Supabase-Api-Version": "2024-01-01"]

    @Test("From sign-up and upload to the dashboard and a refresh; without a token the dashboard is nobody's")
    func signedIn() throws {
        let documentd = try JobSearchTests.start(["--auth", "local"])
        defer { documentd.remove() }
        let client = documentd.client
        func post(_ path: String, _ text: String, _ more: [String: String] = [:]) throws -> ServiceClient.Answer {
            try client.send("POST", path, headers: Self.json.merging(more) { $1 }, body: Array(text.utf8))
        }
        let session = try post("/auth/v1/signup", Self.account)
        #expect(session.status == 200, "\(session.text)")
        let access = try #require(session.json?["access_token"]?.string)
        let refresh = try #require(session.json?["refresh_token"]?.string)
        let own = ["Authorization": "Bearer \(access)"]
        let user = try client.send("GET", "/auth/v1/user", headers: own)
        #expect(user.status == 200 && user.json?["id"] == session.json?["user"]?["id"])
        #expect(try client.send("GET", "/auth/v1/user").status == 401)
        // The app refreshes at a 401; Supabase's clients, which name their version, know the code of a 403.
        let bad = ["Authorization": "Bearer \(access)x"]
        #expect(try client.send("GET", "/auth/v1/user", headers: bad).status == 401)
        let named = try client.send("GET", "/auth/v1/user", headers: bad.merging(Self.json) { $1 })
        #expect(named.status == 403 && named.json?["code"]?.string == "bad_jwt", "\(named.text)")

        // An upload that names nobody rightly is refused, and not taken for nobody's.
        let file = try ("ada.pdf", JobSearchTests.bytes("jobs/resumes/ios-developer.pdf"))
        let wrong = try client.post(
            "/api/resume", fields: [], file: file, headers: ["Authorization": "Bearer \(access)x"])
        #expect(wrong.status == 401 && wrong.json?["error"]?.string == "unauthenticated", "\(wrong.text)")
        let receipt = try client.post("/api/resume", fields: [], file: file, headers: own)
        #expect(receipt.status == 200, "\(receipt.text)")
        let token = try #require(receipt.json?["view_token"]?.string)
        let id = try #require(receipt.json?["user_search_id"]?.string)
        #expect(try JobSearchTests.ended(token, on: documentd)["status"]?.string == "completed")
        let jobs = try #require(try client.send("GET", "/api/public/jobs?token=\(token)").json?.array)
        #expect(jobs.count >= 10)
        let job = jobs[0]["job_id"]?.string ?? ""
        let reasons = try post("/api/jobs/explanation", #"{"job_id":"\#(job)","view_token":"\#(token)"}"#, own)
        #expect(reasons.status == 200 && JobSearchTests.keys(reasons.json) == ["bullets", "explanation_summary"])

        func dashboard(_ headers: [String: String]) throws -> ServiceClient.Answer {
            try client.send("GET", "/api/me/dashboard", headers: headers)
        }
        let listed = try dashboard(own)
        #expect(listed.json?["total_searches"]?.int == 1 && listed.json?["total_jobs_found"]?.int == jobs.count)
        let recent = listed.json?["recent_sessions"]?.array ?? []
        #expect(recent.map { $0["view_token"]?.string } == [token] && recent.map { $0["id"]?.string } == [id])
        for headers in [[:], ["Authorization": "Bearer \(token)"]] {
            let refused = try dashboard(headers)
            #expect(refused.status == 401 && JobSearchTests.keys(refused.json) == ["error", "message"])
            #expect(refused.json?["error"]?.string == "unauthenticated")
        }
        // The profile is the person's alone, whoever knows the identity.
        #expect(try client.send("GET", "/api/resume/\(id)").status == 404)
        #expect(try client.send("GET", "/api/resume/\(id)", headers: own).status == 200)

        let renewed = try post("/auth/v1/token?grant_type=refresh_token", #"{"refresh_token":"\#(refresh)"}"#)
        let again = try #require(renewed.json?["access_token"]?.string, "\(renewed.text)")
        let newHeaders = ["Authorization": "Bearer \(again)"]
        #expect(try dashboard(newHeaders).json?["total_searches"]?.int == 1)
        #expect(try client.send("POST", "/auth/v1/logout", headers: newHeaders, body: []).status == 204)
        let next = renewed.json?["refresh_token"]?.string ?? ""
        let late = try post("/auth/v1/token?grant_type=refresh_token", #"{"refresh_token":"\#(next)"}"#)
        #expect(late.status == 400 && late.json?["code"]?.string == "refresh_token_not_found", "\(late.text)")
        // What a token of the search shows goes on.
        #expect(try client.send("GET", "/api/public/session?token=\(token)").status == 200)
    }
}
