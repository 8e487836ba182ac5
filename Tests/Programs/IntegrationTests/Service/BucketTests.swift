import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("documentd's bucket", .serialized, .deadline)
struct BucketTests {
    private static let pdf = try! DocumentdTests.sample("page-1.pdf")
    private static let folder = "00000000-0000-7000-8000-000000000001/transcript"

    /// A service, and the calls of the app's wire.
    private struct Bucket {
        let documentd: DocumentdProgram
        let key: String

        init() throws {
            documentd = try DocumentdProgram(["--worker", "no"])
            key = try documentd.key()
        }

        func call(
            _ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
        ) throws -> ServiceClient.Answer {
            try documentd.client.send(
                method, "/storage/v1/\(path)", headers: fields.merging(["apikey": key]) { $1 }, body: body)
        }

        func call(_ method: String, _ path: String, json: String) throws -> ServiceClient.Answer {
            try call(method, path, ["Content-Type": "application/json"], body: Array(json.utf8))
        }

        func info(_ name: String) throws -> JSON? {
            try call("GET", "object/info/documents/\(BucketTests.folder)/\(name)").json
        }
    }

    @Test("Cache-Control and metadata of uploads of every sort are kept, answered, copied, moved and forgotten")
    func notes() throws {
        let bucket = try Bucket()
        defer { bucket.documentd.remove() }
        let place = "object/documents/\(Self.folder)"
        let metadata = #"{"season": 2026, "who": "Zoë"}"#
        let expected = try JSON(parsing: Array(metadata.utf8))
        let raw = try bucket.call(
            "POST", "\(place)/1_raw.pdf",
            ["Cache-Control": "public, max-age=60", "x-metadata": Base64.encode(Array(metadata.utf8))], body: Self.pdf)
        #expect(raw.status == 200, "\(raw.text)")
        #expect(try bucket.info("1_raw.pdf")?["cache_control"]?.string == "public, max-age=60")
        #expect(try bucket.info("1_raw.pdf")?["metadata"] == expected)
        // Fields before and behind the file.
        let boundary = "b"
        func field(_ name: String, _ value: String) -> String {
            "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        let form =
            Array((field("cacheControl", "3600") + "--b\r\nContent-Disposition: form-data; name=\"\"; ").utf8)
            + Array("filename=\"a.pdf\"\r\n\r\n".utf8) + Self.pdf
            + Array(("\r\n" + field("metadata", metadata) + "--b--\r\n").utf8)
        let formed = try bucket.call(
            "POST", "\(place)/2_form.pdf", ["Content-Type": "multipart/form-data; boundary=\(boundary)"], body: form)
        #expect(formed.status == 200, "\(formed.text)")
        #expect(try bucket.info("2_form.pdf")?["cache_control"]?.string == "max-age=3600")
        #expect(try bucket.info("2_form.pdf")?["metadata"] == expected)
        let pairs = [
            "bucketName": "documents", "objectName": "\(Self.folder)/3_tus.pdf", "cacheControl": "7",
            "metadata": metadata,
        ]
        let tus = try bucket.call(
            "POST", "upload/resumable",
            [
                "Tus-Resumable": "1.0.0", "Upload-Length": "\(Self.pdf.count)",
                "Content-Type": "application/offset+octet-stream",
                "Upload-Metadata": pairs.map { "\($0) \(Base64.encode(Array($1.utf8)))" }.joined(separator: ","),
            ], body: Self.pdf)
        #expect(tus.status == 201, "\(tus.text)")
        #expect(try bucket.info("3_tus.pdf")?["cache_control"]?.string == "max-age=7")
        #expect(try bucket.info("3_tus.pdf")?["metadata"] == expected)
        // Nothing said, and said no more.
        #expect(try bucket.call("POST", "\(place)/4_bare.pdf", body: Self.pdf).status == 200)
        #expect(try bucket.info("4_bare.pdf")?["cache_control"]?.string == "no-cache")
        #expect(try bucket.info("4_bare.pdf")?["metadata"] == .object([]))
        let download = try bucket.call("GET", "\(place)/1_raw.pdf")
        #expect(download["cache-control"] == "private, max-age=60" && download.body == Self.pdf)
        let list = try bucket.call("POST", "object/list/documents", json: #"{"prefix": "\#(Self.folder)"}"#).json
        #expect(
            list?.array?.map { $0["metadata"]?["cacheControl"]?.string ?? "" }
                == ["public, max-age=60", "max-age=3600", "max-age=7", "no-cache"])
        func paths(_ from: String, _ to: String) -> String {
            #"{"bucketId": "documents", "sourceKey": "\#(Self.folder)/\#(from)", "destinationKey": "\#(Self.folder)/\#(to)"}"#
        }
        #expect(try bucket.call("POST", "object/copy", json: paths("1_raw.pdf", "5_copy.pdf")).status == 200)
        #expect(try bucket.call("POST", "object/move", json: paths("1_raw.pdf", "6_moved.pdf")).status == 200)
        for name in ["5_copy.pdf", "6_moved.pdf"] {
            #expect(try bucket.info(name)?["metadata"] == expected, "\(name)")
        }
        #expect(try bucket.call("POST", "\(place)/1_raw.pdf", body: Self.pdf).status == 200)
        #expect(try bucket.info("1_raw.pdf")?["metadata"] == .object([]), "notes went with the moved file")
        #expect(try bucket.call("PUT", "\(place)/5_copy.pdf", body: Self.pdf).status == 200)
        #expect(try bucket.info("5_copy.pdf")?["cache_control"]?.string == "no-cache", "a replaced file has its own")
        for (name, fields) in [
            ("x-metadata", ["x-metadata": Base64.encode(Array("[]".utf8))]),
            ("cache-control", ["Cache-Control": String(repeating: "x", count: 300)]),
        ] {
            let answer = try bucket.call("POST", "\(place)/7_refused.pdf", fields, body: Self.pdf)
            #expect(answer.status == 400 && answer.code == "InvalidRequest", "\(name): \(answer.text)")
        }
        #expect(try bucket.info("7_refused.pdf")?["message"]?.string == "Object not found")
    }

    @Test(
        "A deleted document's addresses are dead at once, also before its bytes are removed, and its path is free"
    )
    func deletion() throws {
        let bucket = try Bucket()
        defer { bucket.documentd.remove() }
        let document = try bucket.documentd.upload("page-1.pdf", as: "transcript")
        let stored = try #require(bucket.documentd.storedFiles.first)
        let path = try bucket.documentd.path(of: document["id"]!.string!)
        func signed(_ transform: String) throws -> String {
            let answer = try bucket.call(
                "POST", "object/sign/documents/\(path)", json: #"{"expiresIn": 600\#(transform)}"#)
            return try #require(answer.json?["signedURL"]?.string)
        }
        let addresses = [
            try signed(""), try signed(#", "transform": {"width": 100}"#), "/object/documents/\(path)",
            "/object/authenticated/documents/\(path)", "/object/info/documents/\(path)",
            "/render/image/authenticated/documents/\(path)",
        ]
        #expect(try bucket.call("GET", String(addresses[0].dropFirst())).body == Self.pdf)
        // Removals wait until the test lets them.
        let database = bucket.documentd.program.path("data/documents.sqlite")
        try OtherProgram.sqlite(
            database,
            """
            .timeout 5000
            CREATE TRIGGER later AFTER INSERT ON removals
                BEGIN UPDATE removals SET due = due + 3600000000 WHERE object_id = new.object_id; END;
            """)
        let deleted = try bucket.documentd.client.send("DELETE", "/api/documents/\(document["id"]!.string!)")
        #expect(deleted.status == 200)
        #expect(bucket.documentd.storedFiles == [stored], "the file is still there")
        for address in addresses {
            let answer = try bucket.call("GET", String(address.dropFirst()))
            #expect(answer.status == 400 && answer.message == "Object not found", "\(address): \(answer.text)")
        }
        let list = try bucket.call("POST", "object/list/documents", json: #"{"prefix": "\#(Self.folder)"}"#)
        #expect(list.json == .array([]))
        let late = try bucket.call("POST", "object/documents/\(path)", body: Self.pdf)
        #expect(late.status == 200, "\(late.text)")
        try OtherProgram.sqlite(database, ".timeout 5000\nUPDATE removals SET due = 0;")
        try bucket.documentd.waitForStoredFiles(1)
        #expect(bucket.documentd.storedFiles != [stored])
        #expect(try bucket.call("GET", "object/documents/\(path)").body == Self.pdf)
        // What was signed for the document's own file does not open the new one; what was signed for the path does.
        #expect(try bucket.call("GET", String(addresses[0].dropFirst())).body == Self.pdf)
    }

    @Test("Paths may have accents in both forms, dashes, quotes, narrow spaces and emoji, and are kept byte for byte")
    func paths() throws {
        let bucket = try Bucket()
        defer { bucket.documentd.remove() }
        let names = [
            "e\u{301}.pdf", "\u{E9}.pdf", "\u{301}x.pdf", "“O’Neil” — 12\u{202F}h.pdf", "🎾 #1 100%.pdf", "a\\b^c|d.pdf",
        ]
        for (number, name) in names.enumerated() {
            let place = "object/documents/\(Self.folder)/\(ServiceClient.encoded(name))"
            let sent = try bucket.call("POST", place, body: Self.pdf + [UInt8(number)])
            #expect(sent.status == 200, "\(name): \(sent.text)")
            let key = sent.json?["Key"]?.string.map { Array($0.utf8) }
            #expect(key == Array("documents/\(Self.folder)/\(name)".utf8))
        }
        for (number, name) in names.enumerated() {
            let place = "object/documents/\(Self.folder)/\(ServiceClient.encoded(name))"
            #expect(try bucket.call("GET", place).body == Self.pdf + [UInt8(number)], "\(name)")
        }
        let list = try bucket.call("POST", "object/list/documents", json: #"{"prefix": "\#(Self.folder)"}"#).json
        let found = list?.array?.compactMap { $0["name"]?.string }.map { Array($0.utf8) }
        #expect(found == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
        // A token is for one path, to the byte.
        let signed = try bucket.call(
            "POST", "object/sign/documents/\(Self.folder)/\(ServiceClient.encoded(names[0]))",
            json: #"{"expiresIn": 60}"#)
        let token = try #require(signed.json?["signedURL"]?.string?.split(separator: "=").last)
        for (name, status) in [(names[0], 200), (names[1], 400)] {
            let address = "object/sign/documents/\(Self.folder)/\(ServiceClient.encoded(name))?token=\(token)"
            #expect(try bucket.call("GET", address).status == status, "\(name)")
        }
        for name in ["a%07b.pdf", "..%2Fa.pdf", "a%FFb.pdf", "a//b.pdf", String(repeating: "a/", count: 600) + "b.pdf"]
        {
            let refused = try bucket.call("POST", "object/documents/\(Self.folder)/\(name)", body: Self.pdf)
            #expect(refused.status == 400 && refused.code == "InvalidKey", "\(name): \(refused.text)")
        }
    }
}
