import CLinux
import Matching
import Media
import TestDeadline
import Testing

/// Anybody may give a résumé, so what a text or a page costs must not grow faster than the text does, whatever stands in it.
@Suite("The work grows as the text", .serialized, .deadline)
struct GrowthTests {
    /// Processor time of this thread for some work, the least of three runs: other programs do not count.
    private static func time(_ work: () -> Void) -> Double {
        (0..<3).map { _ in
            let start = now()
            work()
            return now() - start
        }.min()!
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Four times as much takes four times as long; sixteen times would be quadratic. Short work is not measured well.
    ///
    /// - Parameter factor: what four times as much may take.
    private static func expectGrowth(
        _ name: String, of work: (_ count: Int) -> Void, to count: Int, by factor: Double = 9
    ) {
        let (small, large) = (time { work(count / 4) }, time { work(count) })
        #expect(large < 0.02 || large < small * factor, "\(name): \(small) s, four times as much \(large) s")
        #expect(large < 4, "\(name): \(large) s")
    }

    // MARK: Pages

    /// Where the words of a hostile page stand.
    enum Shape: String, CaseIterable {
        case sideBySide, oneRow, onePlace, oneColumn, square, bridges, diagonal, scattered, staggered

        func place(_ index: Int) -> (x: Double, y: Double) {
            let number = Double(index)
            switch self {
            case .sideBySide: return (Double(index % 1000) * 13, Double(index / 1000) * 12)
            case .oneRow: return (number * 0.27, 10)
            case .onePlace: return (10, 10)
            case .oneColumn: return (10, number * 0.25)
            case .square: return (Double(index % 100) * 15, Double(index / 100) * 11)
            case .bridges: return (index % 5 == 0 ? 100 : Double(index % 2) * 105, Double(index / 2) * 0.5)
            case .diagonal: return (number * 0.27, number * 0.27)
            case .scattered: return (Double(index * 7919 % 13_001), Double(index * 104_729 % 13_007))
            case .staggered: return (Double(index * 7 % 1000) * 0.54, number * 0.28)
            }
        }

        /// Wide words cross the edges of others.
        var width: Double { self == .staggered ? 29 : 8 }
    }

    /// A page of short words.
    private static func page(_ count: Int, _ shape: Shape) -> PageText {
        let words = (0..<count).map { index in
            let (x, y) = shape.place(index)
            let place = PageText.Rectangle(left: x, top: y, width: shape.width, height: 4)
            return PageText.Word("w\(index % 10)", at: place)
        }
        return PageText(pageIndex: 0, pageCount: 1, width: 14_400, height: 14_400, words: words)
    }

    @Test("The order of a page's columns", .timeLimit(.minutes(2)), arguments: Shape.allCases)
    func columns(shape: Shape) {
        // Words that are scattered over a page are compared with each other. The number of words bounds this, and the child's deadline.
        Self.expectGrowth(
            shape.rawValue, of: { _ = ResumeText(pages: [ReadingOrder.arranged(Self.page($0, shape))]) }, to: 16_000,
            by: shape == .scattered ? 24 : 9)
        let full = Self.time { _ = ReadingOrder.arranged(Self.page(PageText.mostWords, shape)) }
        #expect(full < 6, "\(shape): \(full) s for the most words that a page has")
    }

    // MARK: Texts

    /// Parts that are repeated, below a heading.
    private static let parts: [(heading: String, part: String)] = [
        ("Experience", "Jan 2019 – Mar 2020\n"), ("Experience", "2019 - "), ("Experience", "since 2019 / / - - "),
        ("Experience", "Cook, Harrow Bistro, Austin, TX   Jan 2019 – Mar 2020\n"),
        ("Experience", "Jan 2019 – Mar 2020\na b\nc d\n2018\n\n"), ("Experience", "2018\n\n"),
        ("Experience", "Jan 2019 – Mar 2020\nran the grill,\n"), ("Experience", "• ran\n"),
        ("Experience", "and so on\n"),
        ("Experience", "Cook\tBistro\t"), ("Experience", "A, "), ("Experience", "Cook at Bistro with a "),
        ("Experience", "Jan 2019 – Mar 2020 A | B | C | D | "), ("Experience", "(((a)))) "),
        ("Experience", "a) ) ) ) "),
        ("Education", "B.S. University of California, Berkeley, "), ("Education", "associate "),
        ("Education", "Ph.D. "),
        ("Education", "Bachelor of Science\n2012 – 2016\n"), ("Education", "A, B, C, D, "),
        ("Education", "Abitur 2012\n"),
        ("Skills", "Swift, "), ("Skills", "a (,, b\n"), ("Skills", "and "), ("Skills", "(((, "),
        ("Skills", "Swift and "),
        ("Skills", "x1 y2 z3\n"), ("Languages", "English fluent, "), ("Languages", "e\u{301}\u{302}\u{303}"),
        ("Certifications", "AWS, "), ("Certifications", "Certified\n"), ("Summary", "a"), ("Summary", "word word. "),
        ("", "Experience\nEducation\nSkills\n"), ("", "EXPERIENCE\n"), ("", "a@b."), ("", "@"), ("", "+1 23 "),
        ("", "www.a.com "), ("", "Jane\n"), ("", "Jane Doe\n2019\n"), ("", "\t|\t"), ("", "(((("), ("", "🇩🇪"),
        ("", "1234567 "), ("", ", ; | · "),
    ]

    @Test("The profile of a text", .timeLimit(.minutes(5)), arguments: parts.indices)
    func profiles(index: Int) {
        let (heading, part) = Self.parts[index]
        func text(_ count: Int) -> String {
            "Maya Okonkwo\n\n\(heading)\n" + String(repeating: part, count: max(1, count / part.utf8.count))
        }
        Self.expectGrowth("\(heading), \(part)", of: { _ = ResumeSample.profile(text($0)) }, to: 100_000)
    }

    @Test("The profile of a page of many words, and that of a table of many cells", .timeLimit(.minutes(2)))
    func tables() {
        Self.expectGrowth(
            "cells of one row",
            of: { count in
                let cells = (0..<count).map {
                    TextParagraph("a", cell: TextParagraph.Cell(table: 1, row: 0, column: $0 / 2))
                }
                _ = ResumeText(paragraphs: cells)
            }, to: 40_000)
        let long = ResumeSample.profile(
            "Experience\n" + String(repeating: "Cook, Bistro 2019 – 2020\n• ran\n", count: 5_000))
        #expect(long.work.count == Profile.mostEntries)
        let skills = (0..<5_000).map { "skill\($0)x" }.joined(separator: ", ")
        #expect(ResumeSample.profile("Skills\n" + skills).skills.count == Profile.mostSkills)
    }
}
