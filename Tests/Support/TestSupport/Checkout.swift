/// The checkout that the tests were built from.
public enum Checkout {
    /// Its folder, without a trailing slash.
    public static let folder = String(#filePath.dropLast("/Tests/Support/TestSupport/Checkout.swift".count))

    /// The path of a file in `samples/`.
    public static func sample(_ name: String) -> String { "\(folder)/samples/\(name)" }
}
