import Foundation
import Hashing
import Media
import PostgreSQLSupport
import StoreSupport
import Synchronization
import TestDeadline
import TestSupport
import Testing

@Suite("documentd migrate --adopt: rows that the app has had in a project of its own", .deadline)
struct AdoptionTests {
    private static let ada = "0f3c1a52-6b7d-4e8f-9a01-b2c3d4e5f601"
    private static let ben = "0f3c1a52-6b7d-4e8f-9a01-b2c3d4e5f602"

    /// Tables as a project of Supabase has them: policies, references to them and a column that nobody here knows included.
    private static let tables = """
        CREATE TABLE schools (id uuid PRIMARY KEY, user_id uuid NOT NULL, name text NOT NULL, division text,
            created_at timestamptz NOT NULL DEFAULT now());
        CREATE TABLE documents (id uuid PRIMARY KEY, user_id uuid NOT NULL, type text NOT NULL, title text NOT NULL,
            description text, file_url text NOT NULL, file_type text, version integer NOT NULL DEFAULT 1,
            school_id uuid REFERENCES schools (id), is_current boolean NOT NULL DEFAULT true,
            shared_with_schools text[] DEFAULT '{}', uploaded_by uuid, created_at timestamptz DEFAULT now(),
            updated_at timestamptz DEFAULT now(), mood text);
        CREATE INDEX document_owner ON documents (user_id);
        ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own ON documents USING (true);
        CREATE VIEW recent AS SELECT * FROM documents WHERE created_at > now() - interval '1 day';
        CREATE TABLE communication_templates (id uuid PRIMARY KEY, user_id uuid NOT NULL, type text, name text, body text,
            variables text[], created_at timestamptz, updated_at timestamptz);
        """

    /// A database with such tables, and a bucket.
    private struct Project {
        let server: TestServer
        let name: String
        let program: CompassProgram
        let prefix = UUID().uuidString.lowercased()

        init() throws {
            server = try TestServer.shared.get()
            name = try server.makeDatabase()
            program = try CompassProgram()
            try psql(AdoptionTests.tables)
        }

        @discardableResult
        func psql(_ sql: String) throws -> [String] { try server.psql(name, sql) }

        func remove() {
            program.remove()
            server.drop(name)
        }

        /// Adds a document's row, with a number for its identity.
        func add(_ number: Int, _ columns: KeyValuePairs<String, String>) throws {
            let row: [(String, String)] =
                [("id", "'00000000-0000-4000-8000-00000000000\(number)'")]
                + columns.map { ($0.key, $0.value.hasPrefix("=") ? String($0.value.dropFirst()) : "'\($0.value)'") }
            try psql(
                "INSERT INTO documents (\(row.map(\.0).joined(separator: ", "))) VALUES (\(row.map(\.1).joined(separator: ", ")))"
            )
        }

        /// Stores a file as another program does.
        func put(_ path: String, _ bytes: [UInt8]) throws {
            let file = try program.write(Data(bytes), "upload")
            _ = try StoreTools.run(
                [
                    "-c",
                    """
                    import boto3, sys
                    address, key, secret, bucket, name, file = sys.argv[1:]
                    s3 = boto3.client("s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id=key,
                        aws_secret_access_key=secret)
                    s3.put_object(Bucket=bucket, Key=name, Body=open(file, "rb").read())
                    """, try TestStore.shared.get().address, TestStore.accessKey, TestStore.secretKey, TestStore.bucket,
                    "\(prefix)/files/\(path)", file,
                ])
        }

        /// Runs `documentd migrate`.
        ///
        /// - Parameters:
        ///   - folder: has the files in place of the bucket.
        ///   - address: the store's; `nil` for its own.
        func migrate(
            _ words: String..., folder: String? = nil, at address: String? = nil
        ) throws -> (status: Int32, lines: [String]) {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: CompassProgram.built("documentd"))
            process.arguments =
                ["migrate"] + words + [
                    "--data", program.path("data"), "--cache", program.path("cache"), "--database",
                    server.url(of: name),
                ]
                + (try folder.map { ["--store", $0] }
                    ?? [
                        "--store", "s3://\(TestStore.bucket)/\(prefix)", "--s3-endpoint",
                        address ?? TestStore.shared.get().address,
                    ])
            process.environment = [
                "PATH": "/usr/bin:/bin", "HOME": program.scratch.path, "AWS_ACCESS_KEY_ID": TestStore.accessKey,
                "AWS_SECRET_ACCESS_KEY": TestStore.secretKey,
            ]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text.split(separator: "\n").map(String.init))
        }
    }

    @Test("Rows become documents with lines, digests and jobs; the rest is named, tried again, and nothing comes twice")
    func adopting() throws {
        let project = try Project()
        defer { project.remove() }
        let text = Array(String(repeating: "Semester, subject, grade.\n", count: 30_000).utf8)
        let pdf = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf"))))
        let (ada, ben) = (Self.ada, Self.ben)
        try project.put("\(ada)/transcript/1_grades.txt", text)
        try project.put("\(ada)/transcript/2_grades.pdf", pdf)
        try project.put("\(ada)/resume/3_Résumé Zoë.pdf", pdf)
        try project.psql(
            """
            INSERT INTO schools VALUES ('00000000-0000-4000-9000-000000000001', '\(ada)', 'Duke', 'D1'),
                ('00000000-0000-4000-9000-000000000002', '\(ben)', 'Duke', 'D1');
            INSERT INTO communication_templates VALUES ('00000000-0000-4000-a000-000000000001', '\(ada)', 'email', 'Hello',
                'Dear {{coach_name}}', '{coach_name}', now(), now());
            """)
        try project.add(
            1,
            [
                "user_id": ada, "type": "transcript", "title": "Grades", "is_current": "false",
                "file_url": "https://x.example.com/storage/v1/object/public/documents/\(ada)/transcript/1_grades.txt",
                "created_at": "2026-01-31T09:00:00.12+00:00",
            ])
        try project.add(
            2,
            [
                "user_id": ada, "type": "transcript", "title": "Grades", "version": "=2",
                "file_url": "\(ada)/transcript/2_grades.pdf", "created_at": "2026-02-01T09:00:00+00:00",
                "uploaded_by": ben,
            ])
        try project.add(
            3,
            [
                "user_id": ada, "type": "resume", "title": "Résumé", "description": "For coaches",
                "school_id": "00000000-0000-4000-9000-000000000001",
                "shared_with_schools":
                    "{00000000-0000-4000-9000-000000000001,00000000-0000-4000-9000-000000000002,no school}",
                "file_url": "https://x.example.com/storage/v1/object/sign/documents/\(ada)/resume/"
                    + "3_R%C3%A9sum%C3%A9%20Zo%C3%AB.pdf?token=abc",
            ])
        try project.add(
            4, ["user_id": ben, "type": "resume", "title": "Lost", "file_url": "\(ben)/resume/4_lost.pdf"])
        try project.add(5, ["user_id": ben, "type": "photo", "title": "Me", "file_url": "\(ben)/photo/5_me.jpg"])
        try project.add(
            6, ["user_id": ben, "type": "resume", "title": "Away", "file_url": "https://elsewhere.example.com/6.pdf"])

        try project.add(
            7,
            ["user_id": ben, "type": "resume", "title": "Hers", "file_url": "\(ada)/resume/3_Résumé Zoë.pdf"])

        let plain = try project.migrate()
        #expect(plain.status == 3)
        #expect(plain.lines.joined().contains("communication_templates, documents, schools"), "\(plain.lines)")
        #expect(plain.lines.joined().contains("documentd migrate --adopt"))

        let first = try project.migrate("--adopt")
        #expect(first.status == 1, "\(first.lines)")
        #expect(first.lines.contains("3 schools and templates adopted"), "\(first.lines)")
        #expect(first.lines.contains("3 documents adopted, 4 skipped"))
        for (number, reason) in [
            (4, "File no longer available ("), (5, "type is not one of the six types"), (6, "does not name a file"),
            (7, "names another person's file"),
        ] {
            let line = first.lines.first { $0.contains("00000000000\(number): skipped") }
            #expect(line?.contains(reason) == true, "\(line ?? "no line") \(first.lines)")
        }
        let rows = try project.psql(
            """
            SELECT right(id, 1), title, version, is_current, shown, digest, byte_count, created_at, uploaded_by, file_name,
                share_count, coalesce(right(school_id, 1), '-'), state FROM documents ORDER BY id
            """)
        #expect(
            rows == [
                "1|Grades|1|f|f|\(Self.digest(text))|\(text.count)|1769850000120000|\(ada)|grades.txt|0|-|stored",
                "2|Grades|2|t|t|\(Self.digest(pdf))|\(pdf.count)|1769936400000000|\(ben)|grades.pdf|0|-|stored",
            ] + rows.dropFirst(2))
        #expect(
            rows.last?.hasPrefix("3|Résumé|1|t|t|\(Self.digest(pdf))|\(pdf.count)|") == true
                && rows.last?.hasSuffix("|\(ada)|Résumé Zoë.pdf|1|1|stored") == true, "\(rows)")
        #expect(try project.psql("SELECT count(DISTINCT line) FROM documents") == ["2"])
        #expect(try project.psql("SELECT DISTINCT priority, state FROM queue_job") == ["2|available"])
        let reasons = try project.psql("SELECT right(item, 1), reason FROM adopted.progress WHERE place > 0 ORDER BY 1")
        #expect(reasons.map { String($0.prefix(2)) } == ["4|", "5|", "6|", "7|"])
        #expect(reasons[1] == "5|type is not one of the six types")
        // Nobody wrote to the old rows, and a view over them goes on.
        #expect(try project.psql("SELECT count(*), count(mood) FROM adopted.documents") == ["7|0"])
        #expect(try project.psql("SELECT count(*) FROM recent") == ["5"])

        // What was missing comes; what was deleted stays away.
        try project.psql("DELETE FROM documents WHERE title = 'Grades'")
        try project.put("\(ben)/resume/4_lost.pdf", pdf)
        let second = try project.migrate("--adopt")
        #expect(second.status == 1 && second.lines.contains("1 documents adopted, 3 skipped"), "\(second.lines)")
        #expect(try project.psql("SELECT title FROM documents ORDER BY title") == ["Lost", "Résumé"])
        let third = try project.migrate()
        #expect(third.status == 0, "\(third.lines)")
    }

    @Test(
        "Files that are out of reach by themselves are left out, also three in a row, and the next call takes them over"
    )
    func outOfReach() throws {
        let project = try Project()
        defer { project.remove() }
        let pdf = try Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf")))
        let store = project.program.path("files")
        let place = "\(store)/files/\(Self.ada)/resume"
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // A store follows no link.
        for number in 1...6 {
            let path = "\(place)/\(number)_a.pdf"
            if [2, 6].contains(number) {
                try pdf.write(to: URL(fileURLWithPath: path))
            } else {
                try manager.createSymbolicLink(atPath: path, withDestinationPath: "2_a.pdf")
            }
            try project.add(
                number,
                [
                    "user_id": Self.ada, "type": "resume", "title": "\(number)",
                    "file_url": "\(Self.ada)/resume/\(number)_a.pdf", "created_at": "2026-01-0\(number)T09:00:00+00:00",
                ])
        }
        let first = try project.migrate("--adopt", folder: store)
        #expect(first.status == 1, "\(first.lines)")
        #expect(first.lines.contains("2 documents adopted, 4 skipped"), "\(first.lines)")
        #expect(
            try project.psql(
                "SELECT string_agg(right(item, 1), '' ORDER BY place) FROM adopted.progress WHERE reason > ''")
                == ["1345"])
        for number in [1, 3, 4, 5] {
            let path = "\(place)/\(number)_a.pdf"
            try manager.removeItem(atPath: path)
            try pdf.write(to: URL(fileURLWithPath: path))
        }
        let rest = try project.migrate("--adopt", folder: store)
        #expect(rest.status == 0 && rest.lines.contains("4 documents adopted, 0 skipped"), "\(rest.lines)")
        #expect(
            try project.psql("SELECT count(*), count(place), count(reason) FROM adopted.progress") == ["6|0|0"])
    }

    @Test("A bucket that refuses three objects in a row is gone on with; one that answers nothing any more is not")
    func refusals() throws {
        let project = try Project()
        defer { project.remove() }
        let pdf = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf"))))
        for number in 1...5 {
            try project.put("\(Self.ada)/resume/\(number)_a.pdf", pdf)
            try project.add(
                number,
                [
                    "user_id": Self.ada, "type": "resume", "title": "\(number)",
                    "file_url": "\(Self.ada)/resume/\(number)_a.pdf", "created_at": "2026-01-0\(number)T09:00:00+00:00",
                ])
        }
        // Dead from the first object on.
        let isDead = Atomic(false)
        let dying = try FaultProxy(to: TestStore.shared.get()) { request in
            if request.line.contains("_a.pdf") { isDead.store(true, ordering: .releasing) }
            return isDead.load(ordering: .acquiring) ? .cut : .pass
        }
        let ended = try project.migrate("--adopt", at: dying.address)
        #expect(ended.status == 3, "\(ended.lines)")
        #expect(
            ended.lines.contains("0 documents adopted, 3 skipped, 2 not checked yet"), "\(ended.lines)")
        #expect(ended.lines.last?.contains("3 files in a row cannot be reached") == true, "\(ended.lines)")

        let refusing = try FaultProxy(to: TestStore.shared.get()) { request in
            let isRefused = (1...3).contains { request.line.contains("/\($0)_a.pdf") }
            return isRefused ? FaultProxy.error("403 Forbidden", "AccessDenied") : .pass
        }
        let rest = try project.migrate("--adopt", at: refusing.address)
        #expect(rest.status == 1, "\(rest.lines)")
        #expect(rest.lines.contains("2 documents adopted, 3 skipped"), "\(rest.lines)")
        #expect(
            try project.psql(
                "SELECT string_agg(right(item, 1), '' ORDER BY place) FROM adopted.progress WHERE reason > ''")
                == ["123"])
    }

    @Test("What an earlier program has begun to take over is gone on with, and pages of it are found by an index")
    func earlierProgress() throws {
        let project = try Project()
        defer { project.remove() }
        let pdf = try Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("page-1.pdf"))))
        for number in 1...3 {
            try project.put("\(Self.ada)/resume/\(number)_a.pdf", pdf)
            try project.add(
                number,
                [
                    "user_id": Self.ada, "type": "resume", "title": "\(number)",
                    "file_url": "\(Self.ada)/resume/\(number)_a.pdf",
                ])
        }
        #expect(try project.migrate("--adopt").status == 0)
        // As the program before has left them, in the middle.
        try project.psql(
            """
            DROP INDEX adopted.former_identities;
            ALTER TABLE adopted.progress DROP COLUMN place, DROP COLUMN reason;
            DELETE FROM adopted.progress WHERE right(item, 1) IN ('1', '3');
            DELETE FROM objects;
            DELETE FROM documents WHERE title IN ('1', '2', '3');
            DELETE FROM removals;
            """)
        let rest = try project.migrate("--adopt")
        #expect(rest.status == 0 && rest.lines.contains("2 documents adopted, 0 skipped"), "\(rest.lines)")
        #expect(try project.psql("SELECT title FROM documents ORDER BY title") == ["1", "3"])
        let plan = try project.psql(
            """
            SET enable_seqscan = off; SET enable_sort = off;
            EXPLAIN SELECT * FROM (SELECT item FROM adopted.progress WHERE place > 5 ORDER BY place LIMIT 100) AS waiting
                LEFT JOIN adopted.documents AS former ON CAST(former.id AS text) = waiting.item
            """
        ).joined()
        #expect(plan.contains("progress_places") && plan.contains("former_identities"), "\(plan)")
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        var hasher = SHA256()
        bytes.withUnsafeBytes { hasher.update($0) }
        return hasher.digest().hex
    }

    @Test("A database without former tables has nothing to take over, and a file cannot have any")
    func nothing() throws {
        let project = try Project()
        defer { project.remove() }
        try project.psql("DROP VIEW recent; DROP TABLE documents, schools, communication_templates")
        let found = try project.migrate("--adopt")
        #expect(found.status == 0 && found.lines.last == "There are no tables to adopt.")
        let program = project.program
        let refused = try CompassProgram.run(
            CompassProgram.built("documentd"), ["migrate", "--adopt", "--data", program.path("data2")], environment: [:]
        )
        #expect(refused.standardError.contains("--database postgres://"), "\(refused.standardError)")
    }
}
