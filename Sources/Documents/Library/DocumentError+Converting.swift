internal import Documents
internal import Media
internal import Objects

extension DocumentError {
    /// An error of the object store as the service's error.
    init(_ error: ObjectError) {
        switch error {
        case .missing: self = .notFound(.file)
        case .busy: self = .conflict(message: error.message)
        case .noSpace(let detail): self = .full(detail: detail)
        case .tooLong, .invalidPath: self = .invalid(field: "file", message: error.message)
        case .damaged(let detail), .unavailable(let detail): self = .unavailable(detail: "files: \(detail)")
        }
    }

    /// A failure of the engine as the service's error.
    init(_ failure: Failure) {
        switch failure.code {
        case .refusedType: self = .refusedType(message: failure.message, detail: failure.detail)
        case .sourceMissing: self = .notFound(.file)
        case .unavailable, .cancelled, .usage: self = .unavailable(detail: failure.description)
        default: self = .refusedType(message: failure.message, detail: failure.detail)
        }
    }

    static func converting<Value>(_ body: () throws(ObjectError) -> Value) throws(DocumentError) -> Value {
        do throws(ObjectError) { return try body() } catch { throw DocumentError(error) }
    }

    static func convertingFailure<Value>(_ body: () throws(Failure) -> Value) throws(DocumentError) -> Value {
        do throws(Failure) { return try body() } catch { throw DocumentError(error) }
    }
}
