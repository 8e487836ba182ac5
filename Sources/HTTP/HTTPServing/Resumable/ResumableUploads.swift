public import HTTPSyntax
public import Linux

/// The resumable uploads of one caller, as `ResumableExchange` needs them. All calls except `run` may block.
public protocol ResumableUploads: Sendable {
    /// An upload as the store knows it.
    associatedtype Known: Sendable
    /// An upload that one request holds exclusively until it closes or finishes it.
    associatedtype Open: Sendable

    /// The size and time limits of each upload.
    var limits: TusLimits { get }

    /// Runs a blocking call.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value

    /// The same without a check of the caller's right: to end this request's hold, for which nobody needs one.
    func runInAnyCase<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value

    /// Waits for the memory that the first piece of an upload takes; `nil` if it takes none.
    func room(for creation: TusCreation) async throws -> MemoryBudget.Share?

    /// Waits for the memory that a further piece of an upload takes; `nil` if it takes none.
    func room(for known: Known) async throws -> MemoryBudget.Share?

    /// Begins an upload, after the client's statements about it were checked.
    func begin(_ creation: TusCreation, in room: MemoryBudget.Share?) throws -> Open

    /// The exclusively held upload, as the store knows it.
    func known(_ open: Open) -> Known

    /// The absolute address of an upload.
    func location(of known: Known) -> String

    /// An upload within the caller's reach.
    ///
    /// - Throws: `TusError.notFound`, or the face's own error for it.
    func find(_ id: String) throws -> Known

    /// The progress of an upload.
    func state(of known: Known) throws -> TusUpload

    /// Whether an upload may still take bytes: it has not ended, and the store does not know yet that all of them have
    /// arrived.
    func isReceiving(_ known: Known) -> Bool

    /// Takes an upload for this request; an earlier request that still writes to it is told to stop.
    ///
    /// - Returns: `nil` while another request holds it.
    func open(_ known: Known, in room: MemoryBudget.Share?) throws -> Open?

    /// The progress of an upload that this request holds exclusively.
    func state(of open: Open) -> TusUpload

    /// Records the length of an upload that began without one.
    func declare(_ length: Int64, of open: Open) throws -> Open

    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer, to open: Open) throws

    /// Whether a newer request waits for this upload.
    func isOvertaken(_ open: Open) -> Bool

    /// Ends this request's hold; the bytes that arrived are kept on disk.
    func close(_ open: Open) throws

    /// Turns a complete upload into what it is for, and ends this request's hold even if that fails.
    ///
    /// - Returns: the fields that answers about a finished upload have besides the protocol's fields.
    func finish(_ open: Open) throws -> [HeaderField]

    /// The same for an upload whose bytes have all arrived, no matter who sent them and whether it has ended.
    ///
    /// - Returns: `nil` while another request does it.
    /// - Throws: also if the upload was refused before.
    func complete(_ known: Known) throws -> [HeaderField]?

    /// Discards an upload and the bytes that arrived.
    ///
    /// - Throws: `TusError.finished` if it has already become what it is for.
    func terminate(_ known: Known) throws
}
