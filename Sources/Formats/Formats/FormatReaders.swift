public import Media

/// Recognises a file's type by its content: signatures and the structure after them.
///
/// The readers cover the formats of people's documents. They parse directories that libmagic does not, such as those of
/// OLE and ZIP files. They read at most 25 MiB, and 64 KiB of most files.
public enum FormatReaders {
    /// The readers by precedence: readers of signatures at the start come before readers that search.
    private static let readers: [any ContentReader.Type] = [
        StillImage.self, BaseMedia.self, Matroska.self, RIFF.self, OggStream.self, MPEGStream.self, OtherMedia.self,
        CompoundDocument.self, ZipPackage.self, PDFHeader.self,
    ]

    /// The type of a source with a known signature; `nil` for all others, including texts.
    ///
    /// - Throws: `corrupt` if the file cannot be read.
    public static func bySignature(_ source: Source) throws(Failure) -> Recognized? {
        guard let (finding, reader) = try finding(in: BoundedSource(source)) else { return nil }
        return recognized(finding, of: source, by: reader)
    }

    /// The type of any source: by its signature, as a text, or else by libmagic's guess.
    ///
    /// - Parameters:
    ///   - guess: returns libmagic's answer for the first MiB; called only if that answer counts.
    ///   - guesser: libmagic's name and version, for `Recognized.text`.
    /// - Throws: `corrupt` if the file cannot be read.
    package static func byContent(
        _ source: Source, guesser: String, guess: @escaping (UnsafeBufferPointer<UInt8>) -> MediaType?
    ) throws(Failure) -> Recognized {
        let bounded = try BoundedSource(source)
        if source.byteCount == 0 { return recognized(Finding(.empty), of: source) { "no bytes" } }
        if let (finding, reader) = try finding(in: bounded) { return recognized(finding, of: source, by: reader) }
        let opening = try bounded.opening()
        let guess = { opening.withBuffer(guess) ?? .octetStream }
        let isWhole = source.byteCount == Int64(opening.count)
        if let type = TextContent.mediaType(of: opening, isWhole: isWhole, guess: guess) {
            return recognized(Finding(type), of: source) { "reader of texts" }
        }
        return recognized(Finding(BinaryGuess.mediaType(guess(), of: bounded)), of: source) { guesser }
    }

    private static func finding(in source: BoundedSource) throws(Failure) -> (Finding, any ContentReader.Type)? {
        for reader in readers {
            if let finding = try reader.finding(in: source) { return (finding, reader) }
        }
        return nil
    }

    private static func recognized(
        _ finding: Finding, of source: Source, by reader: any ContentReader.Type
    ) -> Recognized {
        recognized(finding, of: source) { "own reader: \(reader)" }
    }

    private static func recognized(
        _ finding: Finding, of source: Source, by reader: @escaping @Sendable () -> String
    ) -> Recognized {
        var facts = Facts(mediaType: finding.mediaType, byteCount: source.byteCount)
        facts.isEncrypted = finding.isEncrypted
        facts.hasVideo = finding.hasVideo
        return Recognized(facts: facts, reader: reader)
    }

    /// The text readers' answer without libmagic: an entry point for fuzzing.
    ///
    /// - Parameter isWhole: whether these are all bytes of the file.
    package static func readAsText(_ bytes: [UInt8], isWhole: Bool) -> MediaType? {
        TextContent.mediaType(of: Bytes(bytes), isWhole: isWhole) { .octetStream }
    }
}
