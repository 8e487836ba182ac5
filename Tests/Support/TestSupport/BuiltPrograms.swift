/// This build's programs. They are next to the test bundle, which the test runner names among its arguments.
public enum BuiltPrograms {
    /// Their folder, without a trailing slash.
    public static let folder: String = {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") }!
        return String(bundle[..<bundle.lastIndex(of: "/")!])
    }()
}
