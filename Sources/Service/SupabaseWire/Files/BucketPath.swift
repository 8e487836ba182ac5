internal import Documents
internal import HTTPSyntax
package import Objects

/// A path in the bucket, as clients may choose it.
package enum BucketPath {
    /// Joins names to a path.
    ///
    /// - Throws: `InvalidKey` for a path with other characters than S3's and letters and digits of any script.
    package static func parse(_ names: some Collection<String>) throws(FileError) -> ObjectPath {
        let text = names.joined(separator: "/")
        guard !text.isEmpty, text.unicodeScalars.allSatisfy(isAllowed) else { throw .invalidKey(text) }
        do throws(ObjectError) { return try ObjectPath(text) } catch { throw .invalidKey(text) }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return "!_/-.*'() &$=@;:+,?".unicodeScalars.contains(scalar) || ("0"..."9").contains(scalar)
                || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }
}

extension ObjectPath {
    /// The person below whose identity the path lies; `nil` for a path elsewhere.
    var owner: ID<Person>? {
        guard names.count > 1, let owner = ID<Person>(names[0]), owner.text == names[0] else { return nil }
        return owner
    }
}
