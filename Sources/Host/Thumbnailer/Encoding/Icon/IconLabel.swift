internal import Media

/// The letters on a media type's icon.
enum IconLabel {
    /// The length of the longest label.
    static let longest = 5

    /// The label from the table; otherwise the last word of the subtype; otherwise `FILE`.
    static func text(for mediaType: MediaType) -> String {
        if let known = known[mediaType.rawValue] { return known }
        let subtype = mediaType.rawValue.split(separator: "/").last.map(String.init) ?? ""
        let word = subtype.split { "+;".contains($0) }.first.map(String.init) ?? subtype
        let last = word.split { ".-".contains($0) }.last.map(String.init) ?? word
        let letters = last.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return letters.count < 2 || letters.count > longest ? "FILE" : letters
    }

    private static let known: [String: String] = [
        "application/pdf": "PDF", "application/msword": "DOC",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
        "application/vnd.ms-word.document.macroenabled.12": "DOCM",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template": "DOTX",
        "application/vnd.ms-word.template.macroenabled.12": "DOTM",
        "application/vnd.ms-excel": "XLS",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "XLSX",
        "application/vnd.ms-excel.sheet.macroenabled.12": "XLSM",
        "application/vnd.ms-excel.sheet.binary.macroenabled.12": "XLSB",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.template": "XLTX",
        "application/vnd.ms-powerpoint": "PPT",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PPTX",
        "application/vnd.ms-powerpoint.presentation.macroenabled.12": "PPTM",
        "application/vnd.openxmlformats-officedocument.presentationml.slideshow": "PPSX",
        "application/x-ooxml-protected": "LOCK", "application/vnd.oasis.opendocument.text": "ODT",
        "application/vnd.oasis.opendocument.spreadsheet": "ODS",
        "application/vnd.oasis.opendocument.presentation": "ODP",
        "application/vnd.oasis.opendocument.graphics": "ODG",
        "application/vnd.apple.pages": "PAGES", "application/vnd.apple.numbers": "NUMB",
        "application/vnd.apple.keynote": "KEY", "application/vnd.ms-outlook": "MSG", "application/rtf": "RTF",
        "text/rtf": "RTF", "text/plain": "TXT", "text/csv": "CSV", "text/html": "HTML", "application/xhtml+xml": "HTML",
        "text/tab-separated-values": "TSV", "text/xml": "XML", "text/markdown": "MD", "text/x-shellscript": "SH",
        "text/x-script.python": "PY", "text/x-python": "PY", "text/javascript": "JS", "application/javascript": "JS",
        "text/x-c": "C", "text/x-c++": "CPP",
        "text/calendar": "ICS", "text/vcard": "VCF", "message/rfc822": "EML", "application/epub+zip": "EPUB",
        "application/zip": "ZIP", "application/gzip": "GZ", "application/x-tar": "TAR", "application/x-bzip2": "BZ2",
        "application/x-xz": "XZ", "application/x-7z-compressed": "7Z", "application/x-rar": "RAR",
        "application/vnd.rar": "RAR", "application/java-archive": "JAR", "application/postscript": "PS",
        "application/x-ole-storage": "OLE", "audio/mpeg": "MP3", "audio/mp4": "M4A", "audio/x-m4a": "M4A",
        "audio/x-wav": "WAV", "audio/wav": "WAV", "audio/flac": "FLAC", "audio/x-flac": "FLAC", "audio/ogg": "OGG",
        "audio/aac": "AAC", "audio/x-hx-aac-adts": "AAC", "audio/midi": "MIDI", "audio/x-matroska": "MKA",
        "audio/webm": "WEBM", "audio/3gpp": "3GP", "video/mp4": "MP4",
        "video/quicktime": "MOV", "video/x-msvideo": "AVI", "video/x-matroska": "MKV", "video/webm": "WEBM",
        "video/mpeg": "MPEG", "image/jpeg": "JPEG", "image/svg+xml": "SVG", "image/vnd.adobe.photoshop": "PSD",
        "image/vnd.microsoft.icon": "ICO", "image/x-icon": "ICO", "image/vnd.dwg": "DWG",
        "application/vnd.sqlite3": "SQL", "application/x-sqlite3": "SQL", "application/octet-stream": "FILE",
        "application/x-executable": "EXE", "application/x-dosexec": "EXE", "application/x-sharedlib": "SO",
        "application/x-pie-executable": "EXE",
        "application/vnd.microsoft.portable-executable": "EXE", "inode/x-empty": "EMPTY",
    ]
}
