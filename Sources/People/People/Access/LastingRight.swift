extension Authenticator {
    /// Requires that a caller who was known when a request began may still do what it asks for.
    ///
    /// A token may expire during a request. Then only the person's right is checked, not the session.
    /// - Parameter credentials: the request's credentials; `nil` for a signed address, which has no session.
    /// - Throws: why the caller is refused now.
    public func requireLasting(
        _ caller: Caller, with credentials: Credentials?, toChange isChange: Bool
    ) async throws(AccessError) {
        guard caller.role == .person else { return }
        if let credentials {
            do throws(AccessError) {
                guard try await self.caller(with: credentials).actor == caller.actor else { throw .invalid }
            } catch {
                if error != .expired { throw error }
            }
        }
        try await requireRight(of: caller, toChange: isChange)
    }
}
