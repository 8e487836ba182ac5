/// Where a program looks for another one's socket.
public enum SocketPlace: Hashable, Sendable {
    /// It does not look.
    case nowhere
    /// Where both reckon it from their surroundings.
    case automatic
    case path(String)
}
