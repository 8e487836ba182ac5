internal import Foundation
internal import Matching

/// Profiles as they are stored: all values with their places.
enum ProfileCoding {
    static func text(_ profile: Profile) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(profile), as: UTF8.self)
    }

    /// - Throws: `damaged` if the text is not one that this program writes.
    static func profile(_ text: String) throws(SearchError) -> Profile {
        do {
            return try JSONDecoder().decode(Profile.self, from: Data(text.utf8))
        } catch {
            throw .damaged(detail: "a stored profile cannot be read: \(error)")
        }
    }
}
