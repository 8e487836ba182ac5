import Foundation
import Matching
import Media
import TestSupport

/// A person, the sample postings, and what is made of both.
struct MatchingSample {
    static let now = PartialDate(year: 2026, month: 11)
    static let today = CivilDay("2026-11-20")!

    let text: ResumeText
    let profile: Profile

    /// A résumé in plain text.
    init(_ resume: String) {
        text = ResumeText(plainText: resume)
        profile = ResumeReader(vocabulary: .builtIn).profile(of: text)
    }

    /// An engineer of apps in Austin.
    static let engineer = MatchingSample(
        """
        Maya Okonkwo
        Senior iOS Engineer
        Austin, TX | maya@example.org

        Experience
        Senior iOS Engineer, Lanternfish Labs, Mar 2021 – Present
        • Moved the shop to SwiftUI and wrote its GraphQL layer.
        iOS Developer, Copperline Transit, Jun 2018 – Feb 2021
        • Wrote the wallet with Core Data.

        Education
        B.S. in Computer Science, University of Northfield, 2016

        Skills
        Swift, SwiftUI, UIKit, Objective-C, Core Data, Fastlane, Unit Testing, Tuist
        """)

    /// A nurse in Seattle.
    static let nurse = MatchingSample(
        """
        Ha Nguyen
        Registered Nurse
        Seattle, WA | ha@example.org

        Experience
        ICU Nurse, Puget Harbor Medical Center, Aug 2017 – Present
        Staff Nurse, Cedar Valley Hospital, Jun 2013 – Jul 2017

        Education
        Bachelor of Science in Nursing, Rainier State University, 2013

        Skills
        Triage, IV Therapy, Wound Care, Telemetry, Patient Education

        Certifications
        ACLS (2024)
        """)

    /// Somebody who has left the school for a desk.
    static let formerTeacher = MatchingSample(
        """
        Jonas Feld
        Data Analyst
        Columbus, OH | jonas@example.org

        Experience
        Data Analyst, Ember Row Analytics, Feb 2022 – Present
        • Wrote the reports on sales.
        Science Teacher, Cedar Valley School, Aug 2014 – Jan 2022
        • Taught in four grades.

        Education
        B.A. in Education, Rainier State University, 2014

        Skills
        SQL, Excel, Tableau, Lesson Planning, Classroom Management, Student Assessment
        """)

    /// All sample postings.
    static let postings: [Posting] = {
        let reader = PostingReader(source: "samples", today: today)
        return ["board.jsonl", "staffing.csv", "employers.jsonld", "careers.html"].flatMap { name in
            let bytes =
                FileManager.default.contents(atPath: Checkout.sample("jobs/postings/\(name)")).map(Array.init) ?? []
            return PostingForm(fileName: name).map { reader.rows(bytes, as: $0).compactMap { try? $0.get() } } ?? []
        }
    }()

    static let candidates: [Candidate] = postings.map(candidate)

    static func candidate(_ posting: Posting) -> Candidate {
        Candidate(
            posting: posting, traits: PostingTraits(of: posting, vocabulary: .builtIn, gazetteer: .builtIn), query: nil)
    }

    var aim: SearchAim { SearchAim(profile, vocabulary: .builtIn, gazetteer: .builtIn, now: Self.now) }

    var matcher: Matcher { Matcher(aim: aim, vocabulary: .builtIn, today: Self.today) }

    var writer: ReasonWriter {
        ReasonWriter(profile, vocabulary: .builtIn, gazetteer: .builtIn, now: Self.now)
    }
}
