internal import HTTPSyntax
internal import Library
internal import Media

/// The form of a résumé: one part `file`, read as it arrives. Used by one request.
final class ResumeForm: @unchecked Sendable {
    /// Where the file's bytes go.
    let intake: Intake
    private var hasFile = false
    private var isInFile = false

    init(_ intake: Intake) throws {
        self.intake = intake
        try intake.setType(.resume)
    }

    /// Processes one step of the form. Parts with other names are ignored.
    func take(_ event: MultipartParser.Event) throws {
        switch event {
        case .began(let header):
            guard header.name == "file" else { return }
            guard !hasFile else { throw RequestError(message: "Send one file at a time.", field: "file") }
            (hasFile, isInFile) = (true, true)
            try intake.setFileName(header.fileName ?? "")
        case .bytes(let bytes):
            if isInFile { try bytes.withUnsafeBytes { try intake.append($0) } }
        case .ended: isInFile = false
        }
    }

    /// Takes a whole file.
    func take(_ name: String, _ bytes: [UInt8]) throws {
        hasFile = true
        try intake.setFileName(name)
        try bytes.withUnsafeBytes { try intake.append($0) }
    }

    /// Throws if the form has no file.
    func requireFile() throws {
        guard hasFile else { throw RequestError(message: "Choose a file.", field: "file") }
    }
}
