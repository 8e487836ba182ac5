import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("One cache for documentd, compass and thumbd", .serialized, .deadline)
struct SharedCacheTests {
    @Test("What documentd made is a hit for compass", arguments: ["h264.mp4", "pages-24.pdf"])
    func madeByDocumentd(name: String) throws {
        let documentd = try DocumentdProgram()
        defer { documentd.remove() }
        _ = try documentd.settled(
            try documentd.upload(name, as: name.hasSuffix("mp4") ? "highlight_video" : "transcript"))
        #expect(try documentd.end() == 0)
        let presets = ["--preset", "list", "--preset", "grid", "--preset", "preview"]
        let output = try documentd.program.run(["thumb", "--json", "--explain"] + presets + [Checkout.sample(name)])
        #expect(output.status == 0 && output.json.first?["cached"] == .bool(true), "\(output.standardOutput)")
        let other = try documentd.program.run(["thumb", "--json", "--size", "77", Checkout.sample(name)])
        #expect(other.json.first?["cached"] == .bool(false), "a picture that nobody has made is none")
    }

    @Test("What compass made is a hit for a documentd that makes nothing itself")
    func madeByCompass() throws {
        let program = try CompassProgram()
        let made = try program.run(["thumb", Checkout.sample("h264.mp4")])
        #expect(made.status == 0)
        let documentd = try DocumentdProgram(["--worker", "no"], in: program)
        defer { documentd.remove() }
        let known = try documentd.upload("h264.mp4", as: "highlight_video")["id"]!.string!
        let picture = try documentd.client.send("GET", "/api/documents/\(known)/thumbnail?preset=grid")
        let rendition = FileManager.default.contents(atPath: made.lines[0])
        #expect(picture.status == 200 && picture.body == rendition.map(Array.init))
        let unknown = try documentd.upload("h264.mov", as: "highlight_video")["id"]!.string!
        let pending = try documentd.client.send(
            "GET", "/api/documents/\(unknown)/thumbnail?preset=grid", headers: ["Accept": "image/*, application/json"])
        #expect(pending.status == 202 && pending.data?["state"]?.string == "pending" && pending["retry-after"] != nil)
        let icon = try documentd.client.send(
            "GET", "/api/documents/\(unknown)/thumbnail", headers: ["Accept": "image/webp,image/*"])
        #expect(icon.status == 200 && icon["content-type"] == "image/png" && icon["cache-control"] == "no-store")
    }

    @Test("thumbd makes the pictures of a documentd without a worker")
    func madeByThumbd() throws {
        let documentd = try DocumentdProgram(["--worker", "no"])
        defer { documentd.remove() }
        let document = try documentd.upload("pages-24.pdf", as: "transcript")
        let thumbd = Process()
        thumbd.executableURL = URL(fileURLWithPath: CompassProgram.built("thumbd"))
        thumbd.arguments = [
            "--queue", documentd.program.path("data/documents.sqlite"), "--store",
            documentd.program.path("data/store"), "--cache", documentd.program.path("cache"), "--listen",
            "127.0.0.1:0",
        ]
        thumbd.standardError = FileHandle.nullDevice
        thumbd.standardOutput = FileHandle.nullDevice
        try thumbd.run()
        defer {
            kill(thumbd.processIdentifier, SIGKILL)
            thumbd.waitUntilExit()
        }
        #expect(try documentd.settled(document)["state"]?.string == "ready")
        let picture = try documentd.client.send("GET", "/api/documents/\(document["id"]!.string!)/thumbnail")
        #expect(picture.status == 200 && picture["content-type"] == "image/jpeg")
    }
}
