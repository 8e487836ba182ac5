import Foundation
import Matching
import Media
import TestDeadline
import TestSupport
import Testing

@Suite("ResumeReader", .deadline)
struct ResumeReaderTests {
    @Test("A small résumé gives all parts of a profile")
    func whole() throws {
        let profile = ResumeSample.profile(
            """
            Maya Okonkwo
            Senior iOS Engineer
            Austin, TX | (512) 555-0134 | maya@example.org | github.com/mokonkwo

            SUMMARY
            Engineer with eight years of shipping apps that people like to use.

            EXPERIENCE
            Senior iOS Engineer                         Mar 2021 – Present
            Lanternfish Labs, Austin, TX
            • Rebuilt the checkout of a grocery app in SwiftUI.
            iOS Developer                               Jun 2018 – Feb 2021
            Copperline Transit, Houston, TX
            • Wrote the offline wallet with Core Data.

            EDUCATION
            B.S. Computer Science                       2012 – 2016
            University of Northfield

            SKILLS
            Swift, SwiftUI, Core Data, Tuist

            CERTIFICATIONS
            AWS Certified Developer, 2022

            LANGUAGES
            English – native, Spanish – fluent
            """)
        #expect(profile.basics.name?.value == "Maya Okonkwo" && profile.basics.label?.value == "Senior iOS Engineer")
        #expect(profile.basics.email?.value == "maya@example.org" && profile.basics.phone?.value == "(512) 555-0134")
        #expect(profile.basics.location?.value == "Austin, TX")
        #expect(profile.basics.url?.value.contains("github.com/mokonkwo") == true)
        #expect(profile.basics.summary?.value.hasPrefix("Engineer with eight") == true)
        #expect(profile.work.map(\.position?.value) == ["Senior iOS Engineer", "iOS Developer"])
        #expect(profile.work.map(\.name?.value) == ["Lanternfish Labs", "Copperline Transit"])
        #expect(profile.work.map(\.startDate?.value.text) == ["2021-03", "2018-06"])
        #expect(profile.work.map(\.isCurrent) == [true, false] && profile.work[1].endDate?.value.text == "2021-02")
        #expect(profile.work[0].highlights.map(\.value) == ["Rebuilt the checkout of a grocery app in SwiftUI."])
        let school = try #require(profile.education.first)
        #expect(school.institution?.value == "University of Northfield" && school.area?.value == "Computer Science")
        #expect(profile.skills.filter(\.isListed).map(\.name.value) == ["Swift", "SwiftUI", "Core Data", "Tuist"])
        #expect(profile.skills.map(\.known).contains("SwiftUI") && profile.skills.contains { $0.known == nil })
        #expect(profile.certificates.first?.name.value.contains("AWS Certified") == true)
        #expect(profile.languages.map(\.language.value) == ["English", "Spanish"])
    }

    @Test(
        "Title, employer and dates are told apart in any order",
        arguments: [
            "Senior Nurse\nStonegate Hospital, Denver, CO\nMarch 2019 – June 2022",
            "Stonegate Hospital\nSenior Nurse\n03/2019 - 06/2022",
            "Stonegate Hospital | Senior Nurse | 2019-03 – 2022-06",
            "Senior Nurse, Stonegate Hospital, Mar 2019 – Jun 2022",
            "Senior Nurse at Stonegate Hospital          Mar 2019 – Jun 2022",
            "03.2019 - 06.2022    Senior Nurse, Stonegate Hospital",
            "Stonegate Hospital                   Denver, CO\nSenior Nurse             March 2019 to June 2022",
        ])
    func orders(lines: String) throws {
        let work = try #require(ResumeSample.profile(ResumeSample.working(lines)).work.first)
        #expect(work.position?.value == "Senior Nurse" && work.name?.value == "Stonegate Hospital")
        #expect(work.startDate?.value.text == "2019-03" && work.endDate?.value.text == "2022-06")
    }

    @Test(
        "Ranges of dates in the forms that people write",
        arguments: [
            ("Jan 2019 – Present", "2019-01", nil), ("since 2019", "2019", nil), ("2019 - 2021", "2019", "2021"),
            ("2018-19", "2018", "2019"), ("Sept. 2018 — Dec. 2019", "2018-09", "2019-12"),
            ("06/2018 – 02/2021", "2018-06", "2021-02"), ("2018-06 to 2021-02", "2018-06", "2021-02"),
            ("Januar 2019 – März 2020", "2019-01", "2020-03"), ("Jan – Mar 2019", "2019-01", "2019-03"),
            ("May '18 - Aug '20", "2018-05", "2020-08"),
        ])
    func dates(range: String, start: String, end: String?) throws {
        let text = ResumeSample.working("Line Cook, Harrow Bistro    \(range)\n• Ran the grill.")
        let work = try #require(ResumeSample.profile(text).work.first)
        #expect(work.startDate?.value.text == start && work.endDate?.value.text == end)
        #expect(work.isCurrent == (end == nil))
    }

    @Test(
        "Addresses of mail and telephone numbers are found in their forms",
        arguments: [
            ("maya@example.org", "(512) 555-0134"), ("m.o-k+jobs@mail.example.co.uk", "+49 30 5550 1234"),
            ("MAYA@example.org", "512.555.0134"), ("maya_o@example.org", "+1 512 555 0134"),
        ])
    func contacts(email: String, phone: String) {
        let profile = ResumeSample.profile("Maya Okonkwo\nE-mail: \(email)\nPhone: \(phone)\nAustin, TX\n")
        #expect(profile.basics.email?.value == email && profile.basics.phone?.value == phone)
    }

    @Test("Every value lies in the text where its place says")
    func places() throws {
        let text = try String(contentsOfFile: Checkout.sample("jobs/resumes/data-analyst.txt"), encoding: .utf8)
        let resume = ResumeText(plainText: text)
        let profile = ResumeReader(vocabulary: .builtIn).profile(of: resume)
        let found = ResumeSample.found(in: profile)
        #expect(found.count > 20)
        for (value, place) in found {
            #expect(Self.words(of: resume.text(at: place)) == Self.words(of: value), "\(value)")
        }
        #expect(
            resume.text(at: TextPlace(page: 9, bytes: 0..<1)) == "" && resume.rectangles(at: found[0].place).isEmpty)
    }

    @Test("The sample in plain text is read as its truth says, twice the same")
    func sample() throws {
        let text = try String(contentsOfFile: Checkout.sample("jobs/resumes/data-analyst.txt"), encoding: .utf8)
        let truths = try JSON(
            parsing: Array(Data(contentsOf: URL(fileURLWithPath: Checkout.sample("jobs/resumes/truth.json")))))
        let truth = try #require(truths["data-analyst.txt"])
        let profile = ResumeSample.profile(text)
        #expect(profile == ResumeSample.profile(text))
        #expect(profile.basics.name?.value == truth["basics"]?["name"]?.string)
        #expect(profile.work.map(\.position?.value) == truth["work"]?.array?.map { $0["position"]?.string })
        #expect(profile.work.map(\.name?.value) == truth["work"]?.array?.map { $0["name"]?.string })
        #expect(profile.json["work"]?.array?.count == profile.work.count)
        #expect(profile.json["basics"]?["email"]?.string == truth["basics"]?["email"]?.string)
    }

    private static func words(of text: String) -> [String] { ScannedWord.all(of: text).map(\.key) }
}

@Suite("Profile's experience", .deadline)
struct ExperienceTests {
    private func profile(_ spans: [(String, String?)]) -> Profile {
        var profile = Profile()
        profile.work = spans.map { start, end in
            var work = Profile.Work()
            work.startDate = PartialDate(start).map { Found($0, at: nil, confidence: 1) }
            work.endDate = end.flatMap { PartialDate($0) }.map { Found($0, at: nil, confidence: 1) }
            work.isCurrent = end == nil
            return work
        }
        return profile
    }

    @Test("Time in two positions at once counts once, and none after now")
    func months() {
        let now = PartialDate(year: 2026, month: 6)
        #expect(profile([("2020-01", "2020-12"), ("2020-07", "2021-06")]).monthsOfExperience(at: now) == 18)
        #expect(profile([("2025-07", nil)]).monthsOfExperience(at: now) == 12)
        #expect(profile([("2026", "2027")]).monthsOfExperience(at: now) == 6)
        #expect(profile([("2018", "2019")]).yearsOfExperience(at: now) == 2)
        #expect(profile([]).monthsOfExperience(at: now) == 0)
        for end in [nil, "2031-01", "2026-12"] {
            #expect(profile([("2026-07", end)]).monthsOfExperience(at: now) == 0, "a position that is still ahead")
        }
    }

    @Test(
        "Dates without a month are whole years; others are refused",
        arguments: ["2019-13", "2019-0", "x", "1800", "2019-1-1"])
    func partialDates(text: String) {
        #expect(PartialDate(text) == nil)
        #expect(PartialDate("2019")! < PartialDate("2019-01")! && PartialDate("2019-02")!.text == "2019-02")
    }
}
