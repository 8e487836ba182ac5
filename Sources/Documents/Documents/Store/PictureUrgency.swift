/// How urgent a picture is, the most urgent first.
public enum PictureUrgency: Hashable, Sendable, CaseIterable {
    /// A person who has signed in waits for it.
    case awaited
    /// A visitor without an account waits for it.
    case visited
    /// It is made when there is nothing else to do.
    case ahead
}
