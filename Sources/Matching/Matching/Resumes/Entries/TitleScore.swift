internal import Media

/// How much a name looks like a title or like an employer.
struct TitleScore {
    let vocabulary: Vocabulary

    /// 0...1: 1 for a title of the vocabulary, less for one that only ends like a title.
    func title(_ text: String) -> Double {
        let words = ScannedWord.all(of: text).map(\.key)
        guard !words.isEmpty, words.count <= 12 else { return 0 }
        let known = vocabulary.reading(ofTitle: text).confidence
        // "Associate Degree in Nursing".
        if known < 1, DegreeReader.startsWithDegree(text) { return 0.1 }
        var score = known * 0.9
        if score < 0.65, score > 0 { score *= 0.6 }
        let head = text.split(separator: ",").first.flatMap { ScannedWord.all(of: String($0)).last?.key } ?? words.last!
        // "Head of Sales", "Director, Operations", "VP Marketing".
        let isHeaded =
            Self.nouns.contains(head) || Self.nouns.contains(words.last!)
            || Self.nouns.contains(words[0]) && words.count > 1
        if isHeaded { score = max(score, 0.8) }
        if words.contains(where: { Seniority.saying($0) != nil && $0.count > 2 }) { score = min(1, score + 0.1) }
        if employer(text) > 0.5, !Self.nouns.contains(words.last!) { score *= 0.5 }
        return score
    }

    /// 0...1: near 1 if a word says that it is a company, a school or an office.
    func employer(_ text: String) -> Double {
        let scanned = ScannedWord.all(of: text)
        let words = scanned.map(\.key)
        guard let last = words.last, words.count <= 10 else { return 0 }
        if Self.companyEndings.contains(last) { return 1 }
        if Self.companyWords.contains(last) { return 0.85 }
        if words.contains(where: Self.companyWords.contains) { return 0.6 }
        if text.contains("&") || text.contains(".com") || text.contains(".io") { return 0.5 }
        // Names have capitals.
        return text.first?.isUppercase == true || text.first?.isNumber == true ? 0.3 : 0.1
    }

    /// Whether a text is a remark such as "full time", neither title nor employer.
    static func isRemark(_ text: String) -> Bool {
        remarks.contains(ScannedWord.all(of: text).map(\.key).joined(separator: " "))
    }

    private static let remarks: Set<String> = [
        "full time", "part time", "contract", "permanent", "freelance", "temporary", "seasonal", "remote", "hybrid",
        "on site", "onsite", "casual", "fixed term", "self employed", "internship", "full time position", "promoted",
        "month", "year", "contractor",
    ]

    static let nouns: Set<String> = Set(
        """
        engineer developer manager analyst designer nurse teacher assistant director coordinator specialist
        administrator technician consultant officer representative associate accountant architect scientist chef cook
        driver operator supervisor clerk lead intern trainee apprentice tutor editor writer producer recruiter advisor
        adviser planner buyer agent executive president founder cofounder owner head programmer tester lawyer attorney
        paralegal counsel pharmacist therapist physician doctor professor lecturer researcher instructor coach trainer
        mechanic electrician plumber welder carpenter foreman superintendent cashier server waiter waitress bartender
        barista host hostess receptionist secretary bookkeeper auditor controller banker teller broker photographer
        artist illustrator strategist journalist reporter librarian counselor counsellor worker caregiver nanny aide
        guard inspector surveyor machinist fabricator dispatcher loader picker packer stocker handler merchandiser
        stylist freelancer contractor ingenieur entwickler leiter commis hygienist rn lpn cna paramedic estimator
        scheduler steward captain installer fitter roofer painter joiner scholar fellow resident registrar curator
        translator interpreter copywriter videographer animator statistician chemist biologist physicist economist
        actuary underwriter adjuster dietitian nutritionist midwife porter housekeeper janitor custodian cleaner
        gardener baker butcher sommelier concierge valet courier detective master steward practitioner generalist
        partner sdet sre dba cto ceo cfo coo cmo desarrollador desarrolladora ingeniero ingeniera enfermero enfermera
        contable gerente camarero camarera cocinero cocinera profesora administrativo vendedor vendedora developpeur
        developpeuse ingenieure infirmier infirmiere comptable responsable vendeur vendeuse serveur serveuse cuisinier
        enseignant enseignante professeur directeur directrice technicien technicienne softwareentwickler krankenpfleger
        krankenschwester buchhalter buchhalterin verkaufer verkauferin lehrer lehrerin kellner kellnerin sachbearbeiter
        sachbearbeiterin techniker projektleiter projektleiterin berater beraterin entwicklerin
        """.split { $0 == " " || $0 == "\n" }.map { ScannedWord.stem(String($0)) })

    private static let companyEndings: Set<String> = Set(
        "inc llc ltd gmbh corp corporation ag plc bv nv oy srl kg ug pty llp limited incorporated sarl sro spa sl kgaa"
            .split(separator: " ").map(String.init))

    private static let companyWords: Set<String> = Set(
        """
        company co group holdings partners labs lab laboratories studio studios university universitat universite
        universidad hospital klinikum school college bank clinic institute agency solutions systems technologies
        technology software consulting services restaurant hotel cafe bistro kitchen kitchens center centre health
        healthcare medical logistics foods industries manufacturing construction electric district department ministry
        foundation media digital energy motors insurance financial capital stores store market markets airlines works
        brewery bakery trattoria brasserie resort inn pharmacy academy council office bureau network networks ventures
        enterprises international global airways freight transport haulage builders contractors plumbing mutual credit
        union trust society association institut schule robotics aerospace automotive pharma pharmaceuticals biotech
        biosciences sciences analytics apps interactive games publishing press newspaper gazette herald tribune
        broadcasting apparel outfitters supermarket grocers warehouse depot farms mills steel dynamics instruments
        devices semiconductors utilities water power gas cooperative sons brothers
        """.split { $0 == " " || $0 == "\n" }.map { ScannedWord.stem(String($0)) })
}
