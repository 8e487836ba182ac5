/// How urgent a picture is, the most urgent first.
public enum PictureUrgency: Hashable, Sendable, CaseIterable {
    /// Somebody who has signed in waits for it.
    case awaited
    /// A visitor, who has no account, waits for it.
    case visited
    /// It is made when there is nothing else to do.
    case ahead
}
