public import Database
public import Media

extension Address {
    /// The address that the setting `database` has.
    ///
    /// - Parameter program: the name under which the server lists the connections.
    /// - Throws: `usage`, without the text: it may hold a password.
    public init(ofSetting text: String, program: String) throws(Failure) {
        do throws(PostgreSQLError) {
            try self.init(text, program: program)
        } catch {
            throw Failure(.usage, message: "The setting database is not a valid address.", detail: "\(error)")
        }
    }
}
