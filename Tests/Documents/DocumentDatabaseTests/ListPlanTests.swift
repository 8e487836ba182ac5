import Documents
import Foundation
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("DocumentStore: how lists are read", .deadline)
struct ListPlanTests {
    /// 3,000 documents of one person: too many to sort for a page. They are copied within SQLite, which is faster.
    private func makeLongList() throws -> (bench: StoreBench, school: ID<School>) {
        let bench = try StoreBench()
        let schools = try (0..<3).map { try bench.store.addSchools(named: ["\($0)"], of: bench.owner)[0].id }
        for (number, type) in (DocumentType.allCases + DocumentType.allCases).enumerated() {
            let document = try bench.add("words \(number)", type: type, school: number % 2 == 0 ? schools[0] : nil)
            if number < 6 { _ = try bench.store.share(document.id, of: bench.owner, with: schools, permission: .view) }
        }
        try OtherProgram.sqlite(
            bench.path,
            """
            WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < 250)
            INSERT INTO documents SELECT number + n * 100, substr(id, 1, 30) || printf('%06x', n * 1000 + (number & 255)),
                substr(line, 1, 30) || printf('%06x', n * 1000 + (number & 255)), user_id, type, title, title_key, description,
                search, version, is_current, shown, school_id, share_count, NULL, file_path, file_name, file_type, digest,
                byte_count, facts, placeholder, state, failure, uploaded_by, created_at + n, updated_at
            FROM documents, copies;
            """)
        return (bench, schools[0])
    }

    @Test("No combination of filters, sort, search and place sorts more than a few rows or reads without an index")
    func plans() throws {
        let (bench, school) = try makeLongList()
        let store = bench.store
        let document = try bench.store.document(ofType: .resume, titled: "words 2", of: bench.owner)
        let last = try #require(document)
        var count = 0
        for sort in ListQuery.Sort.allCases {
            for types in [[], [.resume], [.resume, .transcript]] as [Set<DocumentType>] {
                for filter in [nil, .general, .school(school)] as [ListQuery.SchoolFilter?] {
                    for isShared in [nil, true, false] as [Bool?] {
                        for search in ["", "words", "wo"] {
                            for cursor in [nil, ListCursor(behind: last, sort: sort)] {
                                var query = ListQuery()
                                query.sort = sort
                                query.types = types
                                query.school = filter
                                query.isShared = isShared
                                query.search = search
                                query.cursor = cursor
                                try expectNoLongSort(query, store, bench)
                                count += 1
                            }
                        }
                    }
                }
            }
        }
        #expect(count == 810)
    }

    private func expectNoLongSort(_ query: ListQuery, _ store: DocumentStore, _ bench: StoreBench) throws {
        let plan = try store.explain(query, of: bench.owner)
        let isSorted = plan.contains { $0.contains("TEMP B-TREE") }
        #expect(!plan.contains { $0.hasPrefix("SCAN documents") }, "\(query): \(plan)")
        let filtered = try store.list(query, of: bench.owner).filteredCount
        #expect(!isSorted || filtered <= 1000, "\(query) sorts \(filtered) rows: \(plan)")
    }
}

@Suite("The document store's lists beside an independent evaluator", .deadline)
struct ListEvaluationTests {
    @Test("500 random combinations over 10,000 documents of 100 people are as an evaluator in Python says")
    func combinations() throws {
        let folder = TemporaryFolder.make("lists")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "\(Checkout.folder)/Tests/Checks/DocumentLists/evaluate.py",
            "\(BuiltPrograms.folder)/document-lists",
            "\(folder)/documents.sqlite",
        ]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && text.hasPrefix("500 combinations over "), "\(text)")
    }
}
