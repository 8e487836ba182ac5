internal import Media

/// A store's answer to a look-up.
public enum Lookup: Hashable, Sendable {
    case hit(StoredRendition)
    case failure(StoredFailure)
    case miss
}
