public import Media

/// The row that a file on its way has, with its room. It ends in the transaction that stores the file.
public enum ObjectArrival: Hashable, Sendable {
    /// The file arrives within one request.
    case intake
    /// The file arrives by a resumable upload.
    case upload(ID<Upload>)
}
