import HTTPSyntax
import TestDeadline
import Testing

@Suite("Conditions and ranges of requests", .deadline)
struct DeliveryPlanTests {
    private static let modified = HTTPDate(seconds: 784_111_777)
    private static let representation = Representation(byteCount: 1000, entityTag: EntityTag("abc"), modified: modified)
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"

    private func plan(
        _ fields: [HeaderField], method: String = "GET", of representation: Representation = representation
    )
        -> DeliveryPlan
    {
        DeliveryPlan(method: method, headers: fields, representation: representation)
    }

    @Test(
        "Ranges",
        arguments: [
            ("bytes=0-499", .part(0..<500)), ("bytes=500-", .part(500..<1000)), ("bytes=-1", .part(999..<1000)),
            ("bytes=-2000", .part(0..<1000)), ("bytes=0-0", .part(0..<1)), ("bytes=999-5000", .part(999..<1000)),
            ("BYTES=0-9", .part(0..<10)), (" bytes=0-9 , ", .part(0..<10)), ("bytes=,0-9", .part(0..<10)),
            ("bytes=1000-", .unsatisfiable), ("bytes=5000-6000", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=2000-,-0", .unsatisfiable),
            // Errors of grammar are ignored, and other units.
            ("bytes=9-5", .whole), ("bytes=a-b", .whole), ("bytes=", .whole), ("bytes", .whole), ("bytes=1", .whole),
            ("lines=0-9", .whole), ("bytes=0-9;", .whole), ("bytes=0--9", .whole), ("bytes=--1", .whole), ("", .whole),
            ("bytes = 0-9", .whole), ("bytes=9999999999999999999-", .whole), ("bytes=+1-5", .whole),
            // Several ranges: apart, joined, out of order, and so many that they spare nothing.
            ("bytes=0-9,500-509", .parts([0..<10, 500..<510])), ("bytes=500-509,0-9", .parts([0..<10, 500..<510])),
            ("bytes=0-9,10-19", .part(0..<20)), ("bytes=0-99,50-149,2000-", .part(0..<150)),
            ("bytes=-10,0-", .part(0..<1000)),
            ("bytes=0-499,501-999", .whole),
            ("bytes=" + (0..<17).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ","), .whole),
            ("bytes=" + (0..<65).map { _ in "0-0" }.joined(separator: ","), .whole),
        ] as [(String, DeliveryPlan)])
    func ranges(range: String, expected: DeliveryPlan) {
        #expect(plan([HeaderField("Range", range)]) == expected)
        #expect(plan([HeaderField("Range", range)], method: "HEAD") == .whole)
    }

    @Test("A range of nothing is the whole")
    func empty() {
        let empty = Representation(byteCount: 0, entityTag: nil)
        for range in ["bytes=0-", "bytes=-5", "bytes=7-9"] {
            #expect(plan([HeaderField("Range", range)], of: empty) == .whole)
        }
        #expect(DeliveryPlan.whole.ranges(of: empty) == [0..<0])
    }

    @Test(
        "Conditions alone",
        arguments: [
            ("If-None-Match", "\"abc\"", .notModified), ("If-None-Match", "W/\"abc\"", .notModified),
            ("If-None-Match", "\"x\", \"abc\"", .notModified), ("If-None-Match", "*", .notModified),
            ("If-None-Match", "\"x\"", .whole), ("If-None-Match", "abc", .whole),
            ("If-None-Match", "\"x\" \"abc\"", .whole),
            ("If-Match", "\"abc\"", .whole), ("If-Match", "*", .whole), ("If-Match", "W/\"abc\"", .preconditionFailed),
            ("If-Match", "\"x\"", .preconditionFailed), ("If-Match", "", .preconditionFailed),
            ("If-Modified-Since", date, .notModified), ("If-Modified-Since", after, .notModified),
            ("If-Modified-Since", before, .whole), ("If-Modified-Since", "yesterday", .whole),
            ("If-Unmodified-Since", date, .whole), ("If-Unmodified-Since", before, .preconditionFailed),
            ("If-Unmodified-Since", "nonsense", .whole),
        ] as [(String, String, DeliveryPlan)])
    func conditions(name: String, value: String, expected: DeliveryPlan) {
        for method in ["GET", "HEAD"] { #expect(plan([HeaderField(name, value)], method: method) == expected) }
        let changed: DeliveryPlan = expected == .notModified ? .preconditionFailed : expected
        let isForReads = name == "If-Modified-Since"
        #expect(plan([HeaderField(name, value)], method: "PUT") == (isForReads ? .whole : changed))
    }

    @Test("Conditions in their precedence")
    func precedence() {
        let none = HeaderField("If-None-Match", "\"x\"")
        #expect(plan([none, HeaderField("If-Modified-Since", Self.date)]) == .whole)
        let match = HeaderField("If-Match", "\"abc\"")
        #expect(plan([match, HeaderField("If-Unmodified-Since", Self.before)]) == .whole)
        #expect(plan([match, HeaderField("If-None-Match", "\"abc\"")]) == .notModified)
        let range = HeaderField("Range", "bytes=0-9")
        #expect(plan([range, HeaderField("If-None-Match", "\"abc\"")]) == .notModified)
        #expect(plan([range, HeaderField("If-Match", "\"x\"")]) == .preconditionFailed)
        #expect(plan([HeaderField("Range", "bytes=2000-"), HeaderField("If-None-Match", "*")]) == .notModified)
    }

    @Test(
        "If-Range asks for a part of the same bytes only",
        arguments: [
            ("\"abc\"", true), ("W/\"abc\"", false), ("\"x\"", false), (date, true), (after, false), (before, false),
            ("nonsense", false), ("\"abc\", \"x\"", false),
        ])
    func ifRange(value: String, isPart: Bool) {
        let fields = [HeaderField("Range", "bytes=0-9"), HeaderField("If-Range", value)]
        #expect(plan(fields) == (isPart ? .part(0..<10) : .whole))
        let outside = [HeaderField("Range", "bytes=2000-"), HeaderField("If-Range", value)]
        #expect(plan(outside) == (isPart ? .unsatisfiable : .whole))
        #expect(plan([HeaderField("If-Range", value)]) == .whole)
    }

    @Test("Without tag and date no condition on them holds, but that of any representation")
    func unknown() {
        let bare = Representation(byteCount: 10, entityTag: nil)
        #expect(plan([HeaderField("If-Match", "\"abc\"")], of: bare) == .preconditionFailed)
        #expect(plan([HeaderField("If-Match", "*")], of: bare) == .whole)
        #expect(plan([HeaderField("If-None-Match", "\"abc\"")], of: bare) == .whole)
        #expect(plan([HeaderField("If-Modified-Since", Self.after)], of: bare) == .whole)
        let fields = [HeaderField("Range", "bytes=0-4"), HeaderField("If-Range", Self.date)]
        #expect(plan(fields, of: bare) == .whole)
    }

    @Test("Every plan has its status and fields")
    func fields() {
        func texts(_ plan: DeliveryPlan) -> [String] {
            ["\(plan.status)"] + plan.fields(of: Self.representation).map { "\($0.name): \($0.value)" }
        }
        let validity = ["ETag: \"abc\"", "Last-Modified: \(Self.date)"]
        #expect(texts(.whole) == ["200", "Accept-Ranges: bytes"] + validity)
        #expect(texts(.part(5..<10)) == ["206", "Content-Range: bytes 5-9/1000", "Accept-Ranges: bytes"] + validity)
        #expect(texts(.parts([0..<1, 5..<6])) == ["206", "Accept-Ranges: bytes"] + validity)
        #expect(texts(.notModified) == ["304"] + validity)
        #expect(texts(.preconditionFailed) == ["412"])
        #expect(texts(.unsatisfiable) == ["416", "Content-Range: bytes */1000"])
    }

    @Test("Several ranges are framed, and their length is told")
    func frames() {
        let frame = MultipartRanges([0..<2, 5..<6], of: 10, type: "text/plain", boundary: "B")
        #expect(frame.contentType == "multipart/byteranges; boundary=B")
        #expect(
            frame.parts.map(\.head) == [
                "\r\n--B\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n",
                "\r\n--B\r\nContent-Type: text/plain\r\nContent-Range: bytes 5-5/10\r\n\r\n",
            ])
        #expect(frame.tail == "\r\n--B--\r\n")
        #expect(frame.byteCount == Int64((frame.parts.map(\.head).joined() + frame.tail).utf8.count + 3))
    }
}
