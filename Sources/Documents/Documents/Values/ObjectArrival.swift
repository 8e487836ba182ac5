public import Media

/// The row of an arriving file, with its reserved space. It ends in the transaction that stores the file.
public enum ObjectArrival: Hashable, Sendable {
    /// The file arrives within one request.
    case intake
    /// The file arrives by a resumable upload.
    case upload(ID<Upload>)
}
