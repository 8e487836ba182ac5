import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd and requests that are wrong or hostile", .serialized, .deadline)
struct HostileRequestTests {
    private static let pdf = try! DocumentdTests.sample("page-1.pdf")

    @Test("Names of files are made harmless, in forms and in queries")
    func names() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let names = [
            "../../etc/passwd.pdf", "..\\..\\boot.pdf", "a\r\nX-Evil: 1.pdf", "a\u{202E}fdp.exe.pdf",
            String(repeating: "x", count: 300) + ".pdf", "🏈👨‍👩‍👧🇨🇭.pdf", ".pdf", "%00%2e%2e%2f.pdf", "-rf .pdf",
            "<img src=x onerror=alert(1)>.pdf", "'; DROP TABLE documents; --.pdf", "=cmd|' /C calc'!A0.pdf",
            "\u{FEFF}a\u{2028}b.pdf", "con.pdf", "a\"b;c.pdf",
        ]
        var count = 0
        for name in names {
            let inQuery = try documentd.client.send(
                "POST", "/api/documents?type=transcript&file_name=\(ServiceClient.encoded(name))", body: Self.pdf)
            #expect(inQuery.status == 201, "\(name.debugDescription): \(inQuery.text)")
            var answers = [inQuery]
            // A line break or NUL cannot stand in a form's header; browsers encode them there.
            if !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\"" }) {
                answers.append(
                    try documentd.client.post(
                        "/api/documents", fields: [("type", "transcript")], file: (name, Self.pdf)))
            }
            for answer in answers {
                #expect(answer.status == 201, "\(name.debugDescription): \(answer.text)")
                count += 1
                let shown = try #require(answer.data?["file_name"]?.string)
                #expect(shown.hasSuffix(".pdf") && !shown.contains("/") && !shown.contains("\\"), "\(shown)")
                #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && !$0.properties.isBidiControl })
                #expect(shown.utf8.count <= 255)
                let file = try documentd.client.send("GET", "/api/documents/\(answer.data!["id"]!.string!)/file")
                #expect(file.status == 200 && file.body == Self.pdf && file["x-evil"] == nil)
            }
        }
        try documentd.waitForStoredFiles(count)
        #expect(documentd.storedFiles.allSatisfy { $0.hasPrefix("data/store/objects/") && !$0.contains("..") })
        for name in ["", "..", "/", "\0", "a\0b.pdf"] {
            let answer = try documentd.client.send(
                "POST", "/api/documents?type=transcript&file_name=\(ServiceClient.encoded(name))", body: Self.pdf)
            #expect(answer.status == 400, "\(name.debugDescription): \(answer.text)")
        }
        try documentd.waitForStoredFiles(count)
    }

    @Test("Broken, nested and endless forms, and bodies of the wrong length, are refused and leave nothing")
    func bodies() throws {
        let documentd = try DocumentdProgram(["--worker", "no", "--max-upload", "1000000"])
        defer { documentd.remove() }
        let client = documentd.client
        func form(_ body: String, type: String = "multipart/form-data; boundary=b") throws -> ServiceClient.Answer {
            try client.send("POST", "/api/documents", headers: ["Content-Type": type], body: Array(body.utf8))
        }
        let field = "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\ntranscript\r\n"
        let file = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n\r\n"
        let text = String(decoding: Self.pdf, as: UTF8.self)
        for (index, body) in [
            "", "--b", "--b--", "nothing", field, field + file, field + file + text, field + field + "--b--\r\n",
            field + file + text + "\r\n" + file + text + "\r\n--b--\r\n", "--b\r\n\r\nno header\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"unknown\"\r\n\r\nx\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nno such type\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.pdf\"\r\n"
                + "Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n--b--\r\n",
            "--b\r\n" + String(repeating: "X-Header: x\r\n", count: 5000) + "\r\nx\r\n--b--\r\n",
            String(repeating: field, count: 200) + "--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n" + String(repeating: "x", count: 100_000)
                + "\r\n--b--\r\n",
        ].enumerated() {
            let answer = try form(body)
            #expect(answer.status == 400, "form \(index): \(answer.status) \(answer.text)")
            #expect(answer.message?.isEmpty == false)
        }
        for type in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\""] {
            #expect(try form(field, type: type).status == 400, "\(type)")
        }
        // The file is over the limit: by its declared length, and by count.
        let head = "POST /api/documents?type=transcript&file_name=a.pdf HTTP/1.1\r\nHost: \(client.host)\r\n"
        let declared = try client.exchange(Array((head + "Content-Length: 2000000\r\n\r\n").utf8))
        #expect(declared?.status == 413 && declared?.code == "too_large", "\(declared?.text ?? "no answer")")
        #expect(declared?.message == "File exceeds 1MB limit. Please compress or choose a smaller file.")
        let chunk = "8000\r\n" + String(repeating: "x", count: 0x8000) + "\r\n"
        let pdfChunk = "8\r\n%PDF-1.7\r\n"
        let endless = try client.exchange(
            Array((head + "Transfer-Encoding: chunked\r\n\r\n" + pdfChunk).utf8)
                + Array(repeating: Array(chunk.utf8), count: 60).joined())
        #expect(endless?.status == 413, "\(endless?.text ?? "no answer")")
        // The client goes away in the middle: of a form, of a body, of a chunk.
        for begin in ["Content-Length: 5000\r\n\r\n%PDF-1.7\n", "Transfer-Encoding: chunked\r\n\r\n8000\r\n%PDF-1.7\n"]
        {
            let answer = try client.exchange(Array((head + begin).utf8), closes: true)
            #expect(answer == nil || answer!.status >= 400)
        }
        // More than was declared is not part of the file.
        let longer = try client.exchange(
            Array((head + "Connection: close\r\nContent-Length: \(Self.pdf.count)\r\n\r\n").utf8) + Self.pdf
                + Array("more and more".utf8))
        #expect(longer?.status == 201 && longer?.data?["file_size"]?.int == Self.pdf.count)
        let id = try #require(longer?.data?["id"]?.string)
        #expect(try client.send("DELETE", "/api/documents/\(id)").status == 200)
        try documentd.waitForStoredFiles(0)
        #expect(try client.send("GET", "/api/documents").data?["total"]?.int == 0)
        #expect(!documentd.text.contains("\"request failed\""), "nothing of this is the service's fault")
    }

    @Test("Filters, cursors and JSON of the wrong shape are refused with the field at fault")
    func values() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let address = "/api/documents/\(try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!)"
        for (query, field) in [
            ("type=poem", "type"), ("type=transcript,poem", "type"), ("school=x", "school"), ("shared=1", "shared"),
            ("shared=", "shared"), ("sort=random", "sort"), ("limit=0", "limit"), ("limit=201", "limit"),
            ("limit=-1", "limit"), ("limit=1e9", "limit"), ("limit=99999999999999999999", "limit"),
            ("cursor=x", "cursor"), ("cursor=", "cursor"), ("cursor=5b5d", "cursor"),
            ("q=\(String(repeating: "x", count: 2000))", "q"), ("colour=red", "colour"), ("=", ""),
        ] {
            let answer = try client.send("GET", "/api/documents?\(query)")
            #expect(
                answer.status == 400 && answer.code == "invalid" && answer.field == field, "\(query): \(answer.text)")
        }
        for query in ["q=%FF", "cursor=%00"] {
            #expect(try client.send("GET", "/api/documents?\(query)").status == 400, "\(query) is no text")
        }
        let page = try client.send("GET", "/api/documents?limit=1&sort=name").data?["next_cursor"]
        #expect(page == .null)
        let long = String(repeating: "x", count: 101)
        for (body, field) in [
            (#"{"title": 5}"#, "title"), (#"{"title": null}"#, "title"), (#"{"title": ""}"#, "title"),
            (#"{"title": "   "}"#, "title"), (#"{"title": "\#(long)"}"#, "title"),
            (#"{"title": "a\u0000b"}"#, "title"), (#"{"title": "a\nb"}"#, "title"), (#"{"title": []}"#, "title"),
            (#"{"description": "\#(String(repeating: "x", count: 501))"}"#, "description"),
            (#"{"description": {}}"#, "description"), (#"{"colour": "red"}"#, "colour"), (#"{"id": "x"}"#, "id"),
            (#"{"school_id": 5}"#, "school_id"), ("[]", nil), ("", nil), ("{", nil), ("null", nil), ("\"x\"", nil),
            (#"{"title": "x"} x"#, nil), (String(repeating: "[", count: 100_000), nil),
        ] as [(String, String?)] {
            let answer = try client.send("PATCH", address, json: body)
            #expect(answer.status == 400 && answer.code == "invalid", "\(body.prefix(60)): \(answer.text)")
            if let field { #expect(answer.field == field, "\(body.prefix(60))") }
        }
        let huge = try client.send("PATCH", address, json: #"{"title": "\#(String(repeating: "x", count: 300_000))"}"#)
        #expect(huge.status == 413 && huge.code == "too_large", "\(huge.text)")
        for body in [
            #"{"school_ids": []}"#, #"{"school_ids": "x"}"#, "{}",
            #"{"school_ids": ["\#(address.suffix(36))"], "permission": "own"}"#,
        ] {
            #expect(try client.send("POST", "\(address)/shares", json: body).status == 400, "\(body)")
        }
        for body in [
            #"{"name": "x", "type": "fax", "body": "x"}"#, #"{"name": "", "type": "text", "body": "x"}"#,
            #"{"name": "x", "type": "text", "body": " "}"#, #"{"type": "text", "body": "x"}"#,
        ] {
            #expect(try client.send("POST", "/api/communication-templates", json: body).status == 400, "\(body)")
        }
        for body in [#"{"body": "x", "values": []}"#, #"{"body": "x", "values": {"a": 1}}"#, #"{"body": 1}"#] {
            let answer = try client.send("POST", "/api/communication-templates/preview", json: body)
            #expect(answer.status == 400, "\(body): \(answer.text)")
        }
    }

    @Test("Routes for JSON take no body of another type, and say so")
    func mediaTypes() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let id = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        func post(_ type: String?, to path: String = "/api/schools", _ method: String = "POST") throws -> Int {
            let name = #"{"name": "School \#(Int.random(in: 0..<1 << 60))"}"#
            let headers = type.map { ["Content-Type": $0] } ?? [:]
            let answer = try client.send(method, path, headers: headers, body: Array(name.utf8))
            if answer.status == 415 {
                #expect(answer.code == "media_type")
                #expect(answer.message == "Send JSON, with Content-Type: application/json.")
            }
            return answer.status
        }
        let wrong = [
            "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "application/xml",
            "application/json; charset=utf-16", "json", "application/jsonx", "text/json/more", "",
        ]
        for type in wrong { #expect(try post(type) == 415, "\(type)") }
        for type in ["application/json", "Application/JSON; Charset=UTF-8", "application/merge-patch+json", nil] {
            #expect(try post(type) == 201, "\(type ?? "none")")
        }
        for (method, path) in [
            ("PATCH", "/api/documents/\(id)"), ("POST", "/api/documents/\(id)/shares"),
            ("POST", "/api/communication-templates"), ("POST", "/api/communication-templates/preview"),
            ("PATCH", "/api/schools/\(id)"), ("PATCH", "/api/communication-templates/\(id)"),
        ] {
            #expect(try post("text/plain", to: path, method) == 415, "\(method) \(path)")
        }
        #expect(try client.send("GET", "/api/schools").data?.array?.count == 4)
    }

    @Test("Identities of nobody, and texts that are none, are not found, whatever is asked")
    func identities() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let own = try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!
        let nobody = "0199f6a2-7c00-7a31-9d52-6f1c2b3a4d5e"
        for id in [nobody, "x", "1", "%00", "..", "%2e%2e%2f", "'%20OR%201=1", String(repeating: "f", count: 5000)] {
            for (method, path, body) in [
                ("GET", "documents/\(id)", nil), ("PATCH", "documents/\(id)", "{}"), ("DELETE", "documents/\(id)", nil),
                ("GET", "documents/\(id)/versions", nil), ("POST", "documents/\(id)/restore", nil),
                ("GET", "documents/\(id)/file", nil), ("GET", "documents/\(id)/thumbnail", nil),
                ("GET", "documents/\(id)/pages/1/text", nil), ("DELETE", "schools/\(id)", nil),
                ("PATCH", "schools/\(id)", #"{"name": "x"}"#), ("DELETE", "communication-templates/\(id)", nil),
                ("DELETE", "documents/\(own)/shares/\(id)", nil),
                ("POST", "documents/\(own)/shares", #"{"school_ids": ["\#(nobody)"]}"#),
                ("PATCH", "documents/\(own)", #"{"school_id": "\#(nobody)"}"#),
            ] as [(String, String, String?)] {
                let answer = try client.send(method, "/api/\(path)", headers: [:], body: body.map { Array($0.utf8) })
                #expect(answer.status == 404, "\(method) \(path.prefix(90)): \(answer.status) \(answer.text)")
                #expect(!answer.text.contains("/tmp/"), "no path is told")
            }
        }
        for path in ["/api/nothing", "/api", "/api/documents/\(own)/nothing", "/api/documents/\(own)/file/more"] {
            let answer = try client.send("GET", path)
            #expect(answer.status == 404 && answer.code == "not_found", "\(path): \(answer.text)")
        }
        let version = try client.send(
            "POST", "/api/documents/\(nobody)/versions?file_name=a.pdf", body: Self.pdf)
        #expect(version.status == 404)
        let school = try client.post(
            "/api/documents", fields: [("type", "transcript"), ("school_id", nobody)], file: ("a.pdf", Self.pdf))
        #expect(school.status == 404, "\(school.text)")
        try documentd.waitForStoredFiles(1)
    }

    @Test("SQL, HTML and formulas in every text are only text")
    func texts() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let address = "/api/documents/\(try documentd.upload("page-1.pdf", as: "transcript")["id"]!.string!)"
        for (index, text) in [
            "'; DROP TABLE documents; --", "<script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "%_%", "a\\b",
            "{{coach_name}}", "\u{1F3C8}\u{202E}abc", "NULL", "\"", "-- ", "@SUM(1+1)*cmd|' /C calc'!A0",
        ].enumerated() {
            let quoted = JSON.string(text).text
            let trimmed = text.trimmingCharacters(in: .whitespaces)
            let changed = try client.send(
                "PATCH", address, json: #"{"title": \#(quoted), "description": \#(quoted)}"#)
            #expect(changed.status == 200 && changed.data?["title"]?.string == trimmed, "\(changed.text)")
            #expect(changed.data?["description"]?.string == trimmed)
            let found = try client.send("GET", "/api/documents?q=\(ServiceClient.encoded(trimmed))").data
            #expect(found?["filtered"]?.int == 1, "\(text)")
            let school = try client.send("POST", "/api/schools", json: #"{"name": \#(quoted)}"#)
            #expect(school.status == 201 && school.data?["name"]?.string == trimmed, "\(school.text)")
            let template = try client.send(
                "POST", "/api/communication-templates",
                json: #"{"name": \#(quoted), "type": "text", "body": \#(quoted)}"#)
            #expect(template.status == 201 && template.data?["body"]?.string == text, "\(template.text)")
            #expect(changed["content-type"] == "application/json; charset=utf-8")
            let all = try client.send("GET", "/api/schools").data?.array
            #expect(all?.count == index + 1)
        }
        let same = try client.send("POST", "/api/schools", json: #"{"name": "null"}"#)
        #expect(same.status == 409, "a name is taken whatever its case: \(same.text)")
    }

    @Test("Templates tell their variables, and a preview fills in what it is given")
    func templates() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let client = documentd.client
        let made = try client.send(
            "POST", "/api/communication-templates",
            json: #"{"name": "Hello", "type": "email", "body": "Dear {{coach_name}}, {{ sport }} {{coach_name}}"}"#)
        #expect(made.status == 201)
        #expect(made.data?["variables"] == .array([.string("coach_name"), .string("sport")]))
        let preview = try client.send(
            "POST", "/api/communication-templates/preview",
            json: #"{"body": "Dear {{coach_name}} {{sport}}", "values": {"coach_name": "Day"}}"#)
        #expect(preview.data?["text"]?.string == "Dear Day {{sport}}")
        let address = "/api/communication-templates/\(made.data!["id"]!.string!)"
        #expect(try client.send("PATCH", address, json: #"{"type": "text"}"#).data?["type"]?.string == "text")
        #expect(try client.send("GET", "/api/communication-templates").data?.array?.count == 1)
        #expect(try client.send("DELETE", address).status == 200)
        #expect(try client.send("DELETE", address).status == 404)
    }
}
