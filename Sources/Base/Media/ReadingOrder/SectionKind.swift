/// What a part of a résumé is about.
public enum SectionKind: Hashable, Sendable {
    /// The part before the first heading: name and contact details.
    case opening
    case contact
    case summary
    case work
    case education
    case skills
    case certificates
    case languages
    case projects
    /// Interests, references, awards and the like, which are not read.
    case other
}

/// The words of headings and the section that each announces.
public enum HeadingWords {
    /// The section that a line of only these words announces; `nil` if a word is not a heading word.
    public static func kind(of line: String) -> SectionKind? {
        let words = ScannedHeading.keys(of: line)
        guard !words.isEmpty, words.count <= 6 else { return nil }
        if let kind = phrases[words.joined(separator: " ")] { return kind }
        var best: (rank: Int, kind: SectionKind)?
        for word in words {
            if fillers.contains(word) { continue }
            guard let strength = strengths[word] else { return nil }
            if strength.rank > best?.rank ?? -1 { best = strength }
        }
        return best?.kind
    }

    /// Whole headings whose words alone would mislead.
    private static let phrases: [String: SectionKind] = [
        "programming language": .skills, "about me": .summary, "about": .summary, "who i am": .summary,
        "professional development": .certificates, "get in touch": .contact, "career": .work, "my work": .work,
        "where i worked": .work, "what i do": .skills, "what i can do": .skills, "volunteer experience": .other,
        "volunteer work": .other, "technical training": .certificates, "work authorization": .other,
        "beruflicher werdegang": .work, "curriculum vitae": .opening, "resume": .opening, "cv": .opening,
        "language skill": .languages, "skill and language": .skills, "licensure": .certificates,
        "where i learned": .education,
        "at a glance": .summary, "strength": .skills, "toolbox": .skills, "tech stack": .skills, "stack": .skills,
        "professional background": .work, "background": .summary, "hobbie": .other, "i speak": .languages,
        "what i know": .skills, "what i use": .skills, "where i studied": .education, "how to reach me": .contact,
        "reach me": .contact, "experience and education": .work, "detail": .contact, "personal detail": .contact,
        "personal information": .contact, "position": .work, "role": .work, "work": .work,
        "education and credential": .education,
        "education and certification": .education, "education and training": .education, "lebenslauf": .opening,
        "personliche daten": .contact, "uber mich": .summary, "dato personale": .contact, "dato de contacto": .contact,
        "sobre mi": .summary, "a propo": .summary, "savoir faire": .skills, "centre d interet": .other,
        "etat civil": .contact,
    ]

    private static let strengths: [String: (rank: Int, kind: SectionKind)] = {
        var words: [String: (rank: Int, kind: SectionKind)] = [:]
        func add(_ rank: Int, _ kind: SectionKind, _ list: String) {
            for word in list.split(separator: " ") { words[String(word)] = (rank, kind) }
        }
        add(
            9, .other,
            "volunteer volunteering reference interest award hobby publication honor achievement extracurricular")
        add(
            9, .other,
            "accomplishment membership affiliation activity patent conference talk referenzen hobbys intereses")
        add(
            8, .certificates,
            "certification certificate license licence licensing credential zertifikate registration certified")
        add(7, .projects, "project projekte projet proyecto portfolio")
        add(
            6, .work,
            "experience employment berufserfahrung werdegang experiencia berufspraxis internship experiencias praxis")
        add(
            5, .education,
            "education academic ausbildung formation educacion studium bildung schooling qualification studies")
        add(5, .education, "educational bildungsweg academia degree school")
        add(
            4, .skills,
            "skill competency competencie competence expertise technology technologie tool proficiency proficiencie")
        add(
            4, .skills,
            "kenntnisse fahigkeiten competences habilidade habilidades ability strengths software capability"
        )
        add(4, .skills, "fahigkeit skillset toolkit framework edv specialty specialtie kompetenzen")
        add(3, .languages, "language sprachen langue idioma sprachkenntnisse idiomas langues")
        add(
            2, .summary,
            "summary objective overview zusammenfassung resumen statement profil profile perfil introduction")
        add(
            9, .other, "interesse interessen interesen interese aficione loisir interet ehrenamt voluntariado benevolat"
        )
        add(9, .other, "referencia auszeichnungen publicacione premio")
        add(8, .certificates, "zertifikat weiterbildung weiterbildungen fortbildung fortbildungen certificado")
        add(8, .certificates, "certificat certificacion certificacione curso")
        add(7, .projects, "projekt")
        add(6, .work, "arbeitserfahrung berufsweg laufbahn praktika trayectoria empleo parcour emploi carriere")
        add(5, .education, "schulbildung hochschulbildung formacion estudio titulacion diplome etude cursus scolarite")
        add(4, .skills, "fachkenntnisse computerkenntnisse qualifikationen starken conocimiento competencia aptitude")
        add(3, .languages, "fremdsprachen")
        add(2, .summary, "kurzprofil objetivo extracto objectif")
        add(1, .contact, "kontaktdaten coordonnee")
        add(1, .work, "history historial")
        add(1, .contact, "contact kontakt coordonnees contacto")
        add(0, .certificates, "training course")
        return words
    }()

    private static let fillers: Set<String> = [
        "professional", "work", "relevant", "selected", "career", "and", "of", "the", "my", "key", "core", "additional",
        "technical", "personal", "other", "area", "main", "recent", "previous", "area", "job", "information",
        "industry",
        "it", "computer", "hard", "soft", "detail", "professionnelle", "profesional", "highlight", "background", "und",
        "et", "y", "e", "me", "us", "executive", "in", "with", "clinical", "teaching", "research", "berufliche",
        "continued",
        "leadership", "for", "general", "special", "practical", "life", "digital", "method", "methods", "kitchen", "a",
        "i",
        "further", "current", "essential", "management", "beruflicher", "bisherige", "fachliche", "akademische", "de",
        "laboral", "academica", "academico", "informatico", "informatique", "technique", "tecnica", "cle",
        "professionnel", "complementaria",
    ]
}

/// The words of a line, as compared in headings.
private enum ScannedHeading {
    /// Folded words; in words with letters, digits misread for letters count as letters.
    static func keys(of line: String) -> [String] {
        let words = ScannedWord.all(of: line).map(\.key)
        // "E X P E R I E N C E": single letters form one word.
        if words.count >= 5, words.allSatisfy({ $0.count == 1 }) { return [ScannedWord.stem(words.joined())] }
        return words.map { word in
            guard word.utf8.contains(where: { (0x30...0x39).contains($0) }), word.contains(where: \.isLetter) else {
                return word
            }
            return ScannedWord.stem(
                String(word.map { $0 == "0" ? "o" : $0 == "1" ? "i" : $0 == "5" ? "s" : $0 }))
        }
    }
}
