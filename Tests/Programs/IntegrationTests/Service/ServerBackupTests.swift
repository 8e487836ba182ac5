import Foundation
import Media
import PostgreSQLSupport
import StoreSupport
import TestDeadline
import TestSupport
import Testing

/// What docs/scale.md says to run.
@Suite("The backup of a PostgreSQL database and a bucket", .deadline)
struct ServerBackupTests {
    private static let files = (1...4).map { number in
        // The last one arrives in parts, and has a row with sums.
        Array(String(repeating: "\(number) semester, subject, grade\n", count: number == 4 ? 400_000 : 40).utf8)
    }

    /// Copies what files lie in from one place of the bucket to another one.
    private static func copyObjects(from prefix: String, to other: String) throws {
        _ = try StoreTools.run([
            "-c",
            """
            import boto3
            s3 = boto3.client("s3", endpoint_url="\(try TestStore.shared.get().address)", region_name="us-east-1",
                aws_access_key_id="\(TestStore.accessKey)", aws_secret_access_key="\(TestStore.secretKey)")
            pages = s3.get_paginator("list_objects_v2").paginate(Bucket="\(TestStore.bucket)", Prefix="\(prefix)/objects/")
            for key in [entry["Key"] for page in pages for entry in page.get("Contents", [])]:
                s3.copy_object(Bucket="\(TestStore.bucket)", Key="\(other)" + key[len("\(prefix)"):],
                    CopySource={"Bucket": "\(TestStore.bucket)", "Key": key})
            """,
        ])
    }

    private func run(_ program: String, _ words: String...) throws {
        let output = try CompassProgram.run(program, words, environment: ["PATH": "/usr/bin:/bin"])
        #expect(output.status == 0, "\(output)")
    }

    @Test("It is restored elsewhere, and names the file that was deleted before its bytes were copied")
    func elsewhere() throws {
        let (ends, others) = (try SharedBackEnds(), try SharedBackEnds())
        defer {
            ends.remove()
            others.remove()
        }
        let documentd = try DocumentdProgram(["--worker", "no"], environment: ends.environment)
        defer { documentd.remove() }
        let ids = try Self.files.enumerated().map { index, bytes in
            let sent = try documentd.client.send(
                "POST", "/api/documents?type=transcript&file_name=\(index).txt", body: bytes)
            return try #require(sent.data?["id"]?.string, "\(sent.text)")
        }
        let dump = documentd.program.path("dump")
        try run("\(ends.server.programs)/pg_dump", "-Fc", "-f", dump, "-d", ends.server.url(of: ends.name))
        let deleted = try documentd.client.send("DELETE", "/api/documents/\(ids[1])")
        #expect(deleted.status == 200, "\(deleted.text)")
        _ = try Waiting.forValue("the deleted file's bytes stay") {
            try ends.psql("SELECT count(*) FROM removals") == ["0"] ? true : nil
        }
        try Self.copyObjects(from: ends.prefix, to: others.prefix)
        #expect(try documentd.end() == 0)
        try run("\(ends.server.programs)/pg_restore", "--no-owner", "-d", others.server.url(of: others.name), dump)

        let program = try CompassProgram()
        let verified = try CompassProgram.run(
            CompassProgram.built("documentd"),
            ["verify", "--data", program.path("data"), "--cache", program.path("cache")],
            environment: ["PATH": "/usr/bin:/bin", "HOME": program.scratch.path].merging(others.environment) { $1 })
        #expect(verified.status == 1, "\(verified)")
        let output = verified.standardOutput + verified.standardError
        #expect(output.contains("1.txt") && output.contains("missing"), "\(output)")
        #expect(!["0.txt", "2.txt", "3.txt"].contains(where: output.contains), "\(output)")
        let restored = try DocumentdProgram(["--worker", "no"], in: program, environment: others.environment)
        defer { restored.remove() }
        for index in [0, 2, 3] {
            let read = try restored.client.send("GET", "/api/documents/\(ids[index])/file")
            #expect(read.status == 200 && read.body == Self.files[index], "\(index)")
        }
        #expect(try restored.client.send("GET", "/api/documents/\(ids[1])").status == 200, "its row was in the dump")
    }
}
