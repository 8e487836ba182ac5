internal import Foundation
internal import Matching

/// Profiles as the store keeps them: all values with their places.
enum ProfileCoding {
    static func text(_ profile: Profile) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(profile), as: UTF8.self)
    }

    /// - Throws: where the text is none that this program writes.
    static func profile(_ text: String) throws(SearchError) -> Profile {
        do {
            return try JSONDecoder().decode(Profile.self, from: Data(text.utf8))
        } catch {
            throw .damaged(detail: "a stored profile cannot be read: \(error)")
        }
    }
}
