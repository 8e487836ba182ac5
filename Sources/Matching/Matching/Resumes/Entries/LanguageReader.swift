internal import Media

/// Reads languages and how well a person speaks them.
struct LanguageReader {
    /// Whether at least half of the items of a text are languages.
    static func isList(_ text: String) -> Bool {
        let items = text.split { ",;|•·\t".contains($0) }
        let known = items.count { item in ScannedWord.all(of: String(item)).contains { names[$0.key] != nil } }
        return known > 0 && known * 2 >= items.count
    }

    func languages(in lines: [ResumeLine]) -> [Profile.LanguageSkill] {
        var found: [Profile.LanguageSkill] = []
        for line in lines {
            let text = line.line.text
            let words = ScannedWord.all(of: text)
            let hits = words.indices.filter { Self.names[words[$0].key] != nil }
            for (number, index) in hits.enumerated() {
                let word = words[index]
                let end = number + 1 < hits.count ? words[hits[number + 1]].bytes.lowerBound : text.utf8.count
                let language = Found(
                    Self.names[word.key] ?? text[bytes: word.bytes], at: line.line.place(of: word.bytes),
                    confidence: 0.95)
                if found.contains(where: { $0.language.value == language.value }) { continue }
                found.append(
                    Profile.LanguageSkill(language: language, fluency: fluency(line, word.bytes.upperBound..<end)))
            }
        }
        return found
    }

    private func fluency(_ line: ResumeLine, _ range: Range<Int>) -> Found<String>? {
        let text = line.line.text[bytes: range]
        let trimmed = text.drop { !$0.isLetter && !$0.isNumber }
        let kept = String(String(trimmed.reversed().drop { !$0.isLetter && !$0.isNumber }.reversed()).prefix(40))
        guard !kept.isEmpty, let first = text.firstRange(of: kept) else { return nil }
        let start = range.lowerBound + text.utf8.distance(from: text.startIndex, to: first.lowerBound)
        return Found(kept, at: line.line.place(of: start..<start + kept.utf8.count), confidence: 0.8)
    }

    /// Folded names in English and in other languages, with the English name.
    private static let names: [String: String] = {
        var names: [String: String] = [:]
        let list = """
            English englisch anglais ingles angielski; German deutsch allemand aleman niemiecki; French francais
            franzosisch frances; Spanish espanol spanisch espagnol castellano; Italian italiano italienisch; Portuguese
            portugues portugiesisch; Dutch nederlands niederlandisch; Polish polski polnisch; Russian russisch;
            Ukrainian; Czech; Slovak; Hungarian magyar; Romanian; Bulgarian; Greek; Turkish turkce turkisch; Arabic
            arabisch; Hebrew; Persian farsi; Hindi; Urdu; Bengali; Punjabi; Gujarati; Tamil; Telugu; Mandarin; Chinese
            chinesisch; Cantonese; Japanese; Korean; Vietnamese; Thai; Tagalog; Filipino; Indonesian; Malay; Swahili;
            Yoruba; Igbo; Hausa; Amharic; Somali; Swedish svenska; Norwegian norsk; Danish dansk; Finnish suomi;
            Icelandic; Croatian; Serbian; Slovenian; Lithuanian; Latvian; Estonian; Catalan catala; Basque; Irish;
            Welsh; Wolof; Creole; Afrikaans; Zulu; Albanian; Armenian; Georgian; Nepali; Sinhala; Malayalam; Kannada;
            Marathi; ASL
            """
        for entry in list.split(separator: ";") {
            let words = entry.split { $0.isWhitespace }.map(String.init)
            for word in words {
                for scanned in ScannedWord.all(of: word) { names[scanned.key] = words[0] }
            }
        }
        return names
    }()
}
