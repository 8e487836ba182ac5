public import Database
public import Media

extension Address {
    /// The address from the setting `database`.
    ///
    /// - Parameter program: the name under which the server lists the connections.
    /// - Throws: `usage`, without the text, which may contain a password.
    public init(ofSetting text: String, program: String) throws(Failure) {
        do throws(PostgreSQLError) {
            try self.init(text, program: program)
        } catch {
            throw Failure(.usage, message: "The setting database is not a valid address.", detail: "\(error)")
        }
    }
}
