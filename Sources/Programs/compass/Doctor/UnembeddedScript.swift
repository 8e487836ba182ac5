/// A script whose fonts documents often do not embed. `compass doctor` draws it to check whether a font is installed.
struct UnembeddedScript {
    let name: String
    /// The Debian package with a font.
    let remedy: String
    /// Two pages with one character each. Without a font both pages are blank or show the same box.
    let pages: [String]

    static let all = [
        UnembeddedScript("Japanese", "HeiseiMin-W3", "Japan1", "UniJIS-UCS2-H", "fonts-droid-fallback"),
        UnembeddedScript("simplified Chinese", "STSong-Light", "GB1", "UniGB-UCS2-H", "fonts-droid-fallback"),
        UnembeddedScript("traditional Chinese", "MSung-Light", "CNS1", "UniCNS-UCS2-H", "fonts-droid-fallback"),
        // Hangul: Korean fonts may have no ideographs.
        UnembeddedScript(
            "Korean", "HYSMyeongJo-Medium", "Korea1", "UniKS-UCS2-H", "fonts-nanum", characters: ["D55C", "C5B4"]),
    ]

    /// - Parameters:
    /// - ordering: the ordering of Adobe's character collection.
    ///   - characters: in UTF-16; by default 永 and 中.
    private init(
        _ name: String, _ font: String, _ ordering: String, _ encoding: String, _ remedy: String,
        characters: [String] = ["6C38", "4E2D"]
    ) {
        self.name = name
        self.remedy = remedy
        pages = characters.map { character in
            BuiltInSample.page(
                font: """
                    /Type/Font/Subtype/Type0/BaseFont/\(font)/Encoding/\(encoding)/DescendantFonts[<</Type/Font\
                    /Subtype/CIDFontType0/BaseFont/\(font)/CIDSystemInfo<</Registry(Adobe)/Ordering(\(ordering))\
                    /Supplement 2>>/FontDescriptor<</Type/FontDescriptor/FontName/\(font)/Flags 4/ItalicAngle 0\
                    /FontBBox[0 -200 1000 900]/Ascent 800/Descent -200/StemV 80/CapHeight 700>>>>]
                    """, text: "<\(character)>")
        }
    }
}
