import Matching
import Media
import TestDeadline
import Testing

@Suite("Texts that are no résumé", .deadline)
struct UnlikelyResumeTests {
    @Test("Without text, a profile says nothing", arguments: ["", " \n\t\u{C}\n", "\u{0}\u{1}\u{2}", "•\n–\n|"])
    func empty(text: String) {
        let profile = ResumeSample.profile(text)
        #expect(profile.work.isEmpty && profile.skills.isEmpty && profile.basics.label == nil)
    }

    @Test("A menu has no positions, no skills of a list and no title")
    func menu() {
        let profile = ResumeSample.profile(
            """
            Trattoria da Nino
            Starters
            Bruschetta with tomatoes ........ 7.50
            Burrata, basil, olive oil ....... 9.80
            Mains
            Grilled salmon with dill ........ 19.00
            Tagliatelle al ragù ............. 14.50
            Desserts
            Tiramisù ........................ 6.00
            Reservations: (512) 555-0100
            """)
        #expect(profile.work.isEmpty && profile.education.isEmpty && profile.basics.label == nil)
        #expect(profile.skills.isEmpty && profile.basics.email == nil)
    }

    @Test("A grade on a line of its own ends no section")
    func distinction() {
        let profile = ResumeSample.profile(
            """
            Ann Ashworth
            ann@example.org

            Education
            MSc Data Science, Harrow University, 2018 - 2019
            Distinction
            BSc Mathematics, Kestrel College, 2015 - 2018
            With Distinction

            Skills
            Python, SQL
            """)
        #expect(profile.education.count == 2)
    }

    @Test("A résumé in German keeps its address, its sections and its dates")
    func german() throws {
        let profile = ResumeSample.profile(
            """
            Jürgen Großmann
            jg@example.org, +49 30 5550 1234

            Berufserfahrung
            Softwareentwickler, Nordlicht GmbH        Januar 2019 – heute
            • Pflege der Abrechnung in Java und PostgreSQL.

            Ausbildung
            Diplom Informatik, Technische Universität Waldau, 2012

            Kenntnisse
            Java, Docker, Kubernetes
            """)
        #expect(profile.basics.name?.value == "Jürgen Großmann" && profile.basics.email?.value == "jg@example.org")
        #expect(profile.work.first?.isCurrent == true && profile.work.first?.startDate?.value.text == "2019-01")
        #expect(profile.skills.compactMap(\.known).contains("Kubernetes"))
    }

    @Test(
        "Résumés in Spanish, French and German keep name, contact, positions with their dates, schools and languages",
        arguments: UnlikelyResumeTests.foreignTexts)
    func foreign(text: String, position: String, months: [String], school: String) throws {
        let profile = ResumeSample.profile(text)
        #expect(profile.basics.email?.value == "alex@example.org" && profile.basics.phone != nil)
        #expect(profile.basics.name?.value == "Alex Moreau")
        let work = try #require(profile.work.first)
        #expect(work.position?.value == position && work.name?.value == "Nordlicht GmbH" && work.isCurrent)
        let dates = profile.work.flatMap { [$0.startDate, $0.endDate] }.compactMap { $0?.value.text }
        #expect(dates == months)
        #expect(profile.education.first?.institution?.value == school)
        #expect(profile.skills.compactMap(\.known).contains("Kubernetes"))
        #expect(profile.languages.map(\.language.value) == ["German", "French"])
    }

    private static let foreignTexts = [
        (
            """
            Alex Moreau
            alex@example.org, +34 91 555 01 23

            Experiencia laboral
            Desarrollador de software, Nordlicht GmbH        enero de 2019 – actualidad
            • Mantenimiento de la facturación en Java.
            Desarrollador, Ribera SL        marzo 2015 a diciembre de 2018

            Formación académica
            Grado en Informática, Universidad de Valdeluna, 2014

            Conocimientos informáticos
            Java, Docker, Kubernetes

            Idiomas
            Alemán, francés
            """, "Desarrollador de software", ["2019-01", "2015-03", "2018-12"], "Universidad de Valdeluna"
        ),
        (
            """
            Alex Moreau
            alex@example.org, +33 1 55 50 12 34

            Expériences professionnelles
            Développeur logiciel, Nordlicht GmbH        janvier 2019 – aujourd’hui
            • Maintenance de la facturation en Java.
            Développeur, Rivage SARL        mars 2015 au décembre 2018

            Études et diplômes
            Licence informatique, Université de Valbrune, 2014

            Compétences techniques
            Java, Docker, Kubernetes

            Langues
            Allemand, français
            """, "Développeur logiciel", ["2019-01", "2015-03", "2018-12"], "Université de Valbrune"
        ),
        (
            """
            Alex Moreau
            alex@example.org, +49 30 5550 1234

            Beruflicher Werdegang
            Softwareentwickler, Nordlicht GmbH        Januar 2019 – heute
            • Pflege der Abrechnung in Java.
            Softwareentwickler, Ufer AG        März 2015 bis Dezember 2018

            Schulbildung
            Diplom Informatik, Technische Universität Waldau, 2014

            Fachkenntnisse
            Java, Docker, Kubernetes

            Fremdsprachen
            Deutsch, Französisch
            """, "Softwareentwickler", ["2019-01", "2015-03", "2018-12"], "Technische Universität Waldau"
        ),
    ]

    @Test(
        "The language of a text is told by its small words, and English is none of these",
        arguments: [
            ("Trabajo en la cocina desde el verano, con cinco personas y para una cadena de los hoteles", "Spanish"),
            ("Je travaille dans une cuisine depuis deux ans, avec les chefs et pour le service du soir", "French"),
            (
                "Ich arbeite seit zwei Jahren in der Küche und bin für den Service zuständig, auf Abruf mit Auto",
                "German"
            ),
            ("Trabalho na cozinha desde janeiro, com uma equipe do hotel, para os eventos e em festas", "Portuguese"),
            ("Lavoro nella cucina di un albergo, con il capo, per gli eventi e in una squadra della sera", "Italian"),
            ("Ik werk in de keuken van een hotel, met het team, voor de avond en op feesten", "Dutch"),
            ("Работаю поваром, люблю море", nil), ("日本語の履歴書", nil),
        ])
    func language(text: String, name: String?) {
        let language = TextLanguage(of: [text])
        #expect(language != nil && language?.name == name)
    }

    @Test(
        "English, and texts of which nothing tells, have no other language",
        arguments: [
            "", "2019", "Trattoria da Nino\nBurrata, basil, olive oil 9.80",
            "I cook in the kitchen of a hotel, and for the events of La Casa del Sol, as the chef de partie",
            "Experience\nNurse, Hospital de la Luz, with patients and the team\nEducation\nSkills",
        ])
    func english(text: String) { #expect(TextLanguage(of: [text]) == nil) }

    @Test(
        "Chinese, Arabic and Russian texts are read without harm",
        arguments: [
            "中文履历\n工作经验\n2019 – 2021\n软件工程师", "سيرة ذاتية\nخبرة 2019 - 2021", "Резюме\nОпыт работы\n2019 – 2021",
        ])
    func otherScripts(text: String) {
        #expect(ResumeSample.profile(text).skills.isEmpty)
    }

    @Test("Hostile texts end, and their places lie in the text", arguments: UnlikelyResumeTests.hostile)
    func harmless(text: String) {
        let resume = ResumeText(plainText: text)
        let profile = ResumeReader(vocabulary: .builtIn).profile(of: resume)
        for (_, place) in ResumeSample.found(in: profile) {
            #expect(place.bytes.upperBound <= resume.pages[place.page].utf8.count)
        }
    }

    @Test(
        "Values stand at their places, also where another section tears lines apart",
        arguments: [
            ResumeSample.working("Line Cook, Harrow Bistro    2019 – 2020\n• Ran the\nEXPERIENCE\ngrill."),
            "Skills\nTriage, Telemetry, Google\nSKILLS:\nads, Branding",
            "Skills\nTriage, Telemetry, Google\ntools\tads, Branding, Budgeting",
            "Summary\no Cook of eight years who likes to pass on what was learned.",
            ResumeSample.working("Line Cook, Harrow Bistro, \u{301}Austin, TX    2019 – 2020"),
        ])
    func torn(text: String) {
        let resume = ResumeText(plainText: text)
        let found = ResumeSample.found(in: ResumeReader(vocabulary: .builtIn).profile(of: resume))
        #expect(!found.isEmpty)
        for (value, place) in found {
            #expect(
                ScannedWord.all(of: resume.text(at: place)).map(\.key) == ScannedWord.all(of: value).map(\.key),
                "\(value)")
        }
    }

    @Test("A bullet alone stands before the line below it")
    func bulletAlone() throws {
        let text = ResumeSample.working(
            "Line Cook, Harrow Bistro    2019 – 2020\n• Ran the grill\n•\nkept the knives\n•\nBaked.\n•")
        let work = try #require(ResumeSample.profile(text).work.first)
        #expect(work.highlights.map(\.value) == ["Ran the grill", "kept the knives", "Baked."])
    }

    @Test("A line that continues with an item that is no skill takes none of the skills before it")
    func remarkAtTheEnd() {
        let skills = ResumeSample.profile("Skills\nTriage, Telemetry, Expert\nkotlin, Branding").skills
        #expect(skills.map(\.name.value) == ["Triage", "Telemetry", "kotlin", "Branding"])
    }

    private static let hostile = [
        String(repeating: "Senior iOS Engineer, ", count: 5_000), String(repeating: "a", count: 500_000),
        String(repeating: "x@", count: 50_000) + "example.org", String(repeating: "(512) 555-", count: 20_000),
        "Experience\n" + String(repeating: "2019 – 2020\n", count: 10_000),
        "Skills\n" + String(repeating: "Swift, ", count: 50_000), "\u{202E}ognokO ayaM\u{202C}\nSkills\n\u{202E}tfiwS",
        "Experience\nCook 99999999999999999999 – 88888888888888888888\nJan 9223372036854775808 – Present",
        "Maya\u{0}Okonkwo\n\u{0}\u{0}\nSkills: Sw\u{0}ift", String(repeating: "e\u{301}\u{302}\u{303}", count: 20_000),
        String(repeating: "\t|\t", count: 20_000), String(repeating: "((((", count: 20_000),
        "Skills\n" + String(repeating: "-\n", count: 20_000),
    ]

    @Test("300 pages of text are read in seconds", .timeLimit(.minutes(1)))
    func long() {
        let page = ResumeSample.working(
            "Line Cook, Harrow Bistro   Jan 2019 – Mar 2020\n• Ran the grill with Swift hands.\n")
        let text = Array(repeating: page, count: 300).joined(separator: "\u{C}")
        #expect(ResumeSample.profile(text).basics.email?.value == "maya@example.org")
    }

    @Test("Text beyond a hundred pages is left out, and the lines of what stays are bounded")
    func cut() {
        let text = ResumeText(plainText: String(repeating: "Ran the grill, ", count: 100_000))
        #expect(text.isCut && text.pages[0].utf8.count <= ResumeText.longestText)
        #expect(text.lines.allSatisfy { $0.text.utf8.count <= 4_000 && text.text(at: $0.place) == $0.text })
        let family = ResumeText(plainText: String(repeating: "👩‍👩‍👧‍👦", count: 1_000))
        #expect(!family.isCut && family.lines.map(\.text).joined().count == 1_000)
        #expect(!ResumeText(plainText: ResumeSample.working("Cook")).isCut)
    }

    @Test("Words of a page with impossible places are read without harm")
    func places() {
        let values = [-1e300, -1, 0, 612, 1e300]
        let words = values.flatMap { x in
            values.map { y in
                PageText.Word("Swift", at: PageText.Rectangle(left: x, top: y, width: 20, height: 10))
            }
        }
        let page = PageText(pageIndex: 0, pageCount: 1, width: 612, height: 792, words: words)
        #expect(ResumeText(pages: [ReadingOrder.arranged(page)]).lines.count >= 1)
    }
}
