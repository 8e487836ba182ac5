public import Media

/// What a file is, by the project's own readers: signatures, and the structure behind them.
///
/// They know exactly the formats that a person's document may have, and read where libmagic does not (an OLE file's
/// directory, a ZIP's). Reads 25 MiB at most and mostly 64 KiB.
public enum FormatReaders {
    /// The readers in order: signatures at the start decide before anything that searches.
    private static let readers: [any ContentReader.Type] = [
        StillImage.self, BaseMedia.self, Matroska.self, RIFF.self, OggStream.self, MPEGStream.self, OtherMedia.self,
        CompoundDocument.self, ZipPackage.self, PDFHeader.self,
    ]

    /// What a source is by its signature; `nil` where none of the readers knows it, as with all texts.
    ///
    /// Throws `corrupt` only where the file cannot be read.
    public static func bySignature(_ source: Source) throws(Failure) -> Recognized? {
        guard let (finding, reader) = try finding(in: BoundedSource(source)) else { return nil }
        return recognized(finding, of: source, by: reader)
    }

    /// What a source is by its signature, as a text, or else by a guess.
    ///
    /// - Parameters:
    ///   - guess: what asks another for its word on the first MiB, where it counts.
    ///   - guesser: who that is.
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

    /// What the reader of texts says, where nobody guesses: what fuzzers run.
    package static func readAsText(_ bytes: [UInt8], isWhole: Bool) -> MediaType? {
        TextContent.mediaType(of: Bytes(bytes), isWhole: isWhole) { .octetStream }
    }
}
