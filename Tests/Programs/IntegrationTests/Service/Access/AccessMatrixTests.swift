import Documents
import Foundation
import Library
import MatchStore
import Media
import People
import Supabase
import TestDeadline
import TestSupport
import Testing
import TokenMaking

/// The keys that the matrix calls the callers of the app's wire by are those of `AccessService`.
@Suite("Who gets what over all faces", .deadline)
struct AccessMatrixTests {
    private let matrix: AccessMatrix

    init() throws {
        let file = "\(Checkout.folder)/Tests/Programs/IntegrationTests/Service/Access/matrix.txt"
        matrix = try AccessMatrix(String(contentsOfFile: file, encoding: .utf8))
    }

    @Test("Every route has a row in the matrix, and every row a route")
    func routes() async throws {
        let service = try await AccessService.start()
        let served = Set(service.rules.map { "\($0.method) \($0.path)" })
        await service.stop()
        #expect(served.subtracting(matrix.routes) == [], "routes of which nobody has decided who may call them")
        #expect(matrix.routes.subtracting(served) == [], "rows without a route")
        #expect(served.count > 70)
    }

    @Test("Every row of the faces' routes is asked by browsers too")
    func browsers() {
        for section in matrix.sections where ["api", "accounts", "jobs"].contains(section.name) {
            #expect(section.callers.count { $0.hasPrefix("c:") } == 6)
        }
    }

    @Test("Every caller gets what the matrix says, nobody else sees the owner's things, and nobody else changes them")
    func callers() async throws {
        let service = try await AccessService.start()
        for section in matrix.sections where section.name != "tokens" {
            for row in section.rows { try await check(row, section, service) }
        }
        await service.stop()
    }

    @Test("The same holds where people bring tokens that are issued elsewhere")
    func bearers() async throws {
        let service = try await AccessService.start(issuer: Issuer())
        let section = try #require(matrix.sections.first { $0.name == "tokens" })
        #expect(section.rows.count > 80)
        for row in section.rows { try await check(row, section, service) }
        await service.stop()
    }

    private func check(
        _ row: AccessMatrix.Row, _ section: AccessMatrix.Section, _ service: AccessService
    ) async throws {
        let shared = try await AccessThings(on: service)
        let before = try await shared.state(on: service)
        for (caller, cell) in zip(section.callers, row.cells) {
            let isEntitled = Self.isEntitled(caller, section.name, row)
            // Whoever may change things has some of their own to change.
            let things = isEntitled ? try await AccessThings(on: service) : shared
            let answer = try await service.send(Self.request(row, section.name, caller, things))
            let place: Comment = "\(row.route) \(row.variant) by \(caller): \(answer.status) \(answer.text)"
            #expect(answer.status == cell.status, place)
            #expect(Self.isKeptPrivate(answer, row), "\(place): Cache-Control: \(answer["cache-control"] ?? "none")")
            let told = answer.headers.map(\.value).joined(separator: "\n") + answer.text
            // The description, which anybody gets, has an example of a link.
            let links = section.name == "open" ? [] : ["/shared?link="]
            let shows = (["token=", AccessThings.marker] + links).contains { told.contains($0) }
            if isEntitled {
                if cell.shows { #expect(shows, place) }
            } else {
                #expect(!shows, place)
            }
        }
        #expect(try await shared.state(on: service) == before, "\(row.route) \(row.variant) was changed by a stranger")
    }

    /// Whether no cache that several people share may keep the answer. The description of the service is everybody's.
    private static func isKeptPrivate(_ answer: ServiceClient.Answer, _ row: AccessMatrix.Row) -> Bool {
        if row.path == "/api/openapi.json" || row.method == "OPTIONS" { return true }
        let directives = (answer["cache-control"] ?? "").split(separator: ",").map { $0.drop { $0 == " " } }
        return directives.contains("private") || directives.contains("no-store")
    }

    private static func isEntitled(_ caller: String, _ section: String, _ row: AccessMatrix.Row) -> Bool {
        // The owner's browser, that cannot say which page has sent the request, may read.
        let isRead = ["GET", "HEAD"].contains(row.method)
        let isList = row.path.contains("/list/") || row.path == "/api/addresses"
        return ["owner", "c:owner", "good", "view", "download", "manager"].contains(caller)
            || caller == "c:unstated" && isRead || caller == "viewer" && (isRead || isList)
            || caller == "servicekey" && section == "wire" || caller == "cookie" && section == "addresses"
    }

    // MARK: Requests

    static func request(
        _ row: AccessMatrix.Row, _ section: String, _ caller: String, _ things: AccessThings
    ) -> AccessRequest {
        var request = example(row, things)
        var path = row.path
        let id =
            switch path.split(separator: "/")[1] {
            case "documents": things.document
            case "schools": things.school
            case "communication-templates": things.template
            case "uploads": things.upload
            case "resume": things.search?.id.text ?? ""
            case "account":
                path.contains("guardians")
                    ? things.guardianship
                    : path.contains("identities") ? things.person.identity.text : things.person.session.text
            default: things.fileUpload
            }
        let file = row.variant == "document" ? things.documentPath : things.filePath
        let table = ["schools", "communication_templates", "document_shares"].first { $0 == row.variant }
        for (name, value) in [
            ("id", id), ("school", things.school), ("link", things.links["view"]?.id.text ?? ""), ("page", "1"),
            ("table", table ?? "documents"), ("function", "f"),
            ("bucket", "documents"), ("path", file),
        ] { path = path.replacingOccurrences(of: "{\(name)}", with: value) }
        request.address = path + request.address
        for (name, value) in credentials(section, caller, things) { request.headers[name] = value }
        if section == "addresses" { signAddress(&request, caller, things) }
        if section == "signed" { sign(&request, row, caller, things) }
        if section == "links", let token = link(caller, things) {
            request.address += request.address.contains("?") ? "&link=\(token)" : "?link=\(token)"
        }
        return request
    }

    /// The token that a visitor has; `nil` for none.
    private static func link(_ caller: String, _ things: AccessThings) -> String? {
        switch caller {
        case "none": nil
        case "malformed": things.links["view"].map { "\($0.token.text)=" }
        case "unknown": ShareLink.Token.make().text
        default: things.links[caller]?.token.text
        }
    }

    private static func credentials(_ section: String, _ caller: String, _ things: AccessThings) -> [String: String] {
        let key = AccessService.keys.key(of: .anonymous)
        let serviceKey = AccessService.keys.key(of: .service)
        var headers: [String: String] = [:]
        if let token = things.person.issued[caller] { return ["apikey": key, "Authorization": "Bearer \(token)"] }
        switch caller {
        case "key": headers = ["apikey": key, "Authorization": "Bearer \(key)"]
        case "servicekey": headers = ["apikey": serviceKey, "Authorization": "Bearer \(serviceKey)"]
        case "wrongkey": headers = ["apikey": "wrong"]
        case "expired": headers = ["apikey": key, "Authorization": "Bearer \(things.person.expiredToken)"]
        case "refused": headers = ["apikey": key, "Authorization": "Bearer forged"]
        case "viewer", "manager", "former", "stranger":
            headers = things.acting(caller).merging(["apikey": key]) { $1 }
        case "other", "owner":
            let person = caller == "owner" ? things.person : things.stranger
            headers = ["apikey": key, "Authorization": "Bearer \(person.token)"]
        case let caller where caller.hasPrefix("c:"): headers = browser(caller, things)
        case "cookie": headers = AccessPerson.field(things.person.token).merging(["apikey": key]) { $1 }
        default: break
        }
        if section == "api", caller == "key" || caller == "servicekey" { headers["Authorization"] = nil }
        return headers
    }

    /// What a browser sends with the cookie of a caller: for a page of the service, of another site, or without saying of which.
    private static func browser(_ caller: String, _ things: AccessThings) -> [String: String] {
        let cookie =
            switch caller {
            case "c:other": things.stranger.cookie
            case "c:ended": things.person.endedCookie
            case "c:expired": things.person.expiredCookie
            default: things.person.cookie
            }
        let site = ["c:foreign": "cross-site", "c:unstated": nil][caller] ?? "same-origin"
        var headers = AccessPerson.field(cookie)
        headers["Sec-Fetch-Site"] = site
        return headers
    }

    /// Puts a token into the request, where the caller has one.
    private static func sign(
        _ request: inout AccessRequest, _ row: AccessMatrix.Row, _ caller: String, _ things: AccessThings
    ) {
        let isResumable = row.path.contains("resumable")
        let use =
            isResumable || row.path.contains("upload") ? "upload" : row.path.contains("render") ? "render" : "object"
        let path = isResumable ? things.newPath : things.filePath
        let now = Instant.now.microseconds / 1_000_000
        func claims(_ path: String, end: Int64) -> JSON {
            .object([
                "url": .string("documents/\(path)"), "use": .string(use), "owner": .string(things.owner.text),
                "upsert": .bool(true), "iat": .integer(now), "exp": .integer(end),
            ])
        }
        let good = WireToken.sign(claims(path, end: now + 100), with: AccessService.secret)
        let parts = good.split(separator: ".").map(String.init)
        let token: String
        switch caller {
        case "none": return
        case "ended": token = WireToken.sign(claims(path, end: now - 1), with: AccessService.secret)
        case "changed":
            let other = WireToken.sign(claims(path, end: now + 1_000_000), with: AccessService.secret)
            token = "\(parts[0]).\(other.split(separator: ".")[1]).\(parts[2])"
        case "unsigned": token = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.\(parts[1])."
        case "foreign": token = WireToken.sign(claims(path, end: now + 100), with: [UInt8](repeating: 1, count: 32))
        case "elsewhere": token = WireToken.sign(claims(path + "x", end: now + 100), with: AccessService.secret)
        default: token = good
        }
        if isResumable { request.headers["x-signature"] = token } else { request.address += "?token=\(token)" }
    }

    /// Puts a token of the service's own face into the address, where the caller has one.
    private static func signAddress(_ request: inout AccessRequest, _ caller: String, _ things: AccessThings) {
        let (now, address) = (Instant.now.microseconds / 1_000_000, request.address)
        func signed(
            _ end: Int64, by actor: ID<Person>? = nil, for address: String, _ secret: [UInt8] = AccessService.secret
        ) -> String {
            AddressSigner(Secrets(secret)).token(
                .init(owner: things.owner, actor: actor ?? things.owner, epoch: 0, start: now, end: end), for: address)
        }
        request.headers = request.headers.filter { !["Authorization", "apikey", "Acting-For"].contains($0.key) }
        let token: String
        switch caller {
        case "none": return
        case "ended": token = signed(now, for: address)
        case "changed":
            token = signed(now + 100, for: address).replacingOccurrences(
                of: signed(now + 100, for: address).dropLast(64).suffix(16),
                with: signed(now + 1000, for: address).dropLast(64).suffix(16))
        case "foreign": token = signed(now + 100, for: address, [UInt8](repeating: 1, count: 32))
        case "elsewhere": token = signed(now + 100, for: address + "x")
        case "viewer", "manager", "former":
            token = signed(now + 100, by: things.guardian(caller), for: address)
        default: token = signed(now + 100, for: address)
        }
        request.address += "\(address.contains("?") ? "&" : "?")token=\(token)"
        if caller == "cookie" { request.headers.merge(browser("c:other", things)) { $1 } }
    }

    /// How a route is called so that only its caller decides what comes of it; the address is the query alone.
    private static func example(_ row: AccessMatrix.Row, _ things: AccessThings) -> AccessRequest {
        var request = AccessRequest(method: row.method, address: "")
        func json(_ text: String) {
            request.headers["Content-Type"] = "application/json"
            request.body = Array(text.utf8)
        }
        let path = row.path
        switch row.route {
        case "PATCH /api/documents/{id}": json(#"{"school_id":null}"#)
        case "POST /api/documents", "POST /api/documents/{id}/versions":
            request.address = "?type=transcript&title=T&file_name=a.txt"
            request.body = Array("Some text.\n".utf8)
        case "POST /api/documents/{id}/shares": json(#"{"school_ids":["\#(things.school)"],"permission":"edit"}"#)
        case "POST /api/documents/{id}/links": json("{}")
        case "GET /api/documents/{id}/text", "GET /api/shared/text": request.address = "?q=a"
        case "GET /api/documents/{id}/frame", "GET /api/shared/frame": request.address = "?time=1"
        // One person may call by a token and by a cookie, and has each name once.
        case "POST /api/resume":
            request.headers["Content-Type"] = "multipart/form-data; boundary=cut"
            let header = #"Content-Disposition: form-data; name="file"; filename="a.pdf""#
            let pdf = (try? Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf")))) ?? Data()
            request.body = Array("--cut\r\n\(header)\r\n\r\n".utf8) + pdf + Array("\r\n--cut--\r\n".utf8)
        case "PATCH /api/resume/{id}": json(#"{"profile":{"basics":{"name":"N"}}}"#)
        case "GET /api/public/session", "GET /api/public/session/events", "GET /api/public/summary",
            "GET /api/public/jobs":
            request.address = "?token=\(things.search?.viewToken ?? "")"
        case "POST /api/jobs/explanation":
            json(#"{"job_id":"\#(things.posting)","view_token":"\#(things.search?.viewToken ?? "")"}"#)
        case "POST /api/schools", "PATCH /api/schools/{id}": json(#"{"name":"\#(ID<School>.make(at: .now))"}"#)
        case "POST /api/communication-templates": json(#"{"name":"N","type":"email","body":"B"}"#)
        case "PATCH /api/communication-templates/{id}": json(#"{"name":"N"}"#)
        case "POST /api/communication-templates/preview": json(#"{"body":"B","values":{}}"#)
        // An address of nobody's, and a password too short: what comes of good ones, BrowserTests say.
        case "POST /api/session": json(#"{"email":"\#(ID<Person>.make(at: .now))@example.org","password":"wrong"}"#)
        case "POST /api/account": json(#"{"email":"ada@example.org","password":"short"}"#)
        case "POST /api/account/recovery": json(#"{"email":"ada@example.org"}"#)
        case "POST /api/account/password":
            json(#"{"token":"\#(things.person.session.text)","password":"correct horse"}"#)
        case "POST /api/account/confirmation": json(#"{"token":"\#(things.person.session.text)"}"#)
        case "POST /auth/v1/signup": json(#"{"email":"ada@example.org","password":"short"}"#)
        case "POST /auth/v1/token":
            request.address = "?grant_type=password"
            json(#"{"email":"\#(ID<Person>.make(at: .now))@example.org","password":"wrong"}"#)
        case "POST /auth/v1/recover": json(#"{"email":"ada@example.org"}"#)
        case "PUT /auth/v1/user": json("{}")
        case "POST /api/account/guardians":
            json(#"{"email":"\#(ID<Person>.make(at: .now))@example.org","right":"view"}"#)
        case "POST /api/account/invitation", "POST /api/account/invitation/acceptance":
            json(#"{"token":"\#(things.person.session.text)"}"#)
        case "POST /api/addresses": json(#"{"addresses":["/api/documents/\#(things.document)/file"]}"#)
        case "DELETE /api/account": json(#"{"password":"wrong horse"}"#)
        case "POST /api/session/elsewhere", "POST /api/account/identities": json(#"{"provider":"unknown"}"#)
        case "PATCH /api/account": json(#"{"password":null}"#)
        case "POST /api/uploads":
            request.headers = AccessThings.creation(of: ["file_name": "a.txt", "type": "transcript", "title": "T"])
        case "POST /storage/v1/upload/resumable", "POST /storage/v1/upload/resumable/sign":
            request.headers = things.fileCreation.merging(["x-upsert": "true"]) { $1 }
        case "POST /storage/v1/object/move", "POST /storage/v1/object/copy":
            let owner = row.variant.isEmpty ? things.owner : things.other
            let (source, destination) = (things.filePath, "\(owner)/transcript/3_copy.txt")
            json(#"{"bucketId":"documents","sourceKey":"\#(source)","destinationKey":"\#(destination)"}"#)
        case "POST /storage/v1/object/list/{bucket}": json(#"{"prefix":"\#(things.owner)/transcript"}"#)
        case "POST /storage/v1/object/sign/{bucket}": json(#"{"expiresIn":60,"paths":["\#(things.filePath)"]}"#)
        case "POST /storage/v1/object/sign/{bucket}/{path}": json(#"{"expiresIn":60}"#)
        case "POST /storage/v1/object/{bucket}/{path}", "PUT /storage/v1/object/{bucket}/{path}",
            "PUT /storage/v1/object/upload/sign/{bucket}/{path}":
            request.headers = ["Content-Type": "text/plain", "x-upsert": "true"]
            request.body = Array("New text.\n".utf8)
        case "POST /storage/v1/object/upload/sign/{bucket}/{path}": request.headers = ["x-upsert": "true"]
        case "DELETE /storage/v1/object/{bucket}": json(#"{"prefixes":["\#(things.filePath)"]}"#)
        default:
            if path == "/rest/v1/{table}" { rows(&request, row, things) }
        }
        if path.contains("/uploads/{id}") || path.contains("resumable") && path.hasSuffix("{id}") {
            request.headers["Tus-Resumable"] = "1.0.0"
            if row.method == "PATCH" {
                request.headers["Upload-Offset"] = "0"
                request.headers["Content-Type"] = "application/offset+octet-stream"
                request.body = Array("abc".utf8)
            }
        }
        return request
    }

    /// The query and body of a request about rows.
    private static func rows(_ request: inout AccessRequest, _ row: AccessMatrix.Row, _ things: AccessThings) {
        let owner = #""user_id":"\#(things.owner)""#
        let (place, new, change) =
            switch row.variant {
            case "schools": ("id=eq.\(things.school)", #"{\#(owner),"name":"New"}"#, #"{"name":"New"}"#)
            case "communication_templates":
                ("id=eq.\(things.template)", #"{\#(owner),"name":"N","type":"email","body":"B"}"#, #"{"name":"N"}"#)
            case "document_shares":
                (
                    "document_id=eq.\(things.document)&select=*,documents(*)",
                    #"{"document_id":"\#(things.document)","school_id":"\#(things.freeSchool)"}"#,
                    #"{"permission":"edit"}"#
                )
            default:
                (
                    "id=in.(\(things.document))",
                    #"{\#(owner),"type":"transcript","title":"T","file_url":"\#(things.filePath)"}"#,
                    #"{"school_id":null}"#
                )
            }
        request.headers["Content-Type"] = "application/json"
        switch row.method {
        case "GET": if row.variant != "documents" && row.variant != "schools" { request.address = "?\(place)" }
        case "POST": request.body = Array(new.utf8)
        default:
            request.address = "?\(place)"
            request.headers["Prefer"] = "return=representation"
            if row.method == "PATCH" { request.body = Array(change.utf8) }
        }
    }
}
