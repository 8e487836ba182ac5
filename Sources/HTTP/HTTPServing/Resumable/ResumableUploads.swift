public import HTTPSyntax
public import Linux

/// The resumable uploads of one caller, as `ResumableExchange` needs them. All calls but `run` may block.
public protocol ResumableUploads: Sendable {
    /// An upload as the store has it.
    associatedtype Known: Sendable
    /// An upload that one request has to itself, until it closes or finishes it.
    associatedtype Open: Sendable

    /// The bounds of each upload.
    var limits: TusLimits { get }

    /// Runs what blocks.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value

    /// The same without that: to end this request's hold, which nobody needs a right for.
    func runInAnyCase<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value

    /// Waits for the memory that the first piece of an upload takes; `nil` if it takes none.
    func room(for creation: TusCreation) async throws -> MemoryBudget.Share?

    /// Waits for the memory that a further piece of an upload takes; `nil` if it takes none.
    func room(for known: Known) async throws -> MemoryBudget.Share?

    /// Begins an upload, after what the client says of it was checked.
    func begin(_ creation: TusCreation, in room: MemoryBudget.Share?) throws -> Open

    /// The upload that a request has to itself, as the store has it.
    func known(_ open: Open) -> Known

    /// The address of an upload, absolute.
    func location(of known: Known) -> String

    /// An upload within the caller's reach.
    ///
    /// - Throws: `TusError.notFound`, or the face's own word for it.
    func find(_ id: String) throws -> Known

    /// How far an upload has come.
    func state(of known: Known) throws -> TusUpload

    /// Whether an upload may still take bytes: it has not ended, and the store does not know yet that all of them are there.
    func isReceiving(_ known: Known) -> Bool

    /// Takes an upload for this request; an earlier one that still writes to it is told to stop.
    ///
    /// - Returns: `nil` while another request has it.
    func open(_ known: Known, in room: MemoryBudget.Share?) throws -> Open?

    /// How far an upload has come that this request has to itself.
    func state(of open: Open) -> TusUpload

    /// Notes the length of an upload that began without one.
    func declare(_ length: Int64, of open: Open) throws -> Open

    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer, to open: Open) throws

    /// Whether a newer request waits for this upload.
    func isOvertaken(_ open: Open) -> Bool

    /// Ends this request's hold; what arrived is kept on the disk.
    func close(_ open: Open) throws

    /// Makes of a whole upload what it is for, and ends this request's hold also where that fails.
    ///
    /// - Returns: what the answers about a finished upload have beside the protocol's fields.
    func finish(_ open: Open) throws -> [HeaderField]

    /// The same for an upload whose bytes are all there, whoever has sent them and whether or not it has ended.
    ///
    /// - Returns: `nil` while another request does it.
    /// - Throws: also where the upload was refused before.
    func complete(_ known: Known) throws -> [HeaderField]?

    /// Gives an upload up, with what arrived.
    ///
    /// - Throws: `TusError.finished` where it has become what it is for.
    func terminate(_ known: Known) throws
}
