/// The header `Prefer` (RFC 7240), with the preferences of PostgREST.
package struct RowPreferences: Hashable, Sendable {
    /// What happens to a row that exists already.
    package enum Resolution: String, Hashable, Sendable, CaseIterable {
        case merge = "resolution=merge-duplicates"
        case ignore = "resolution=ignore-duplicates"
    }

    /// The response to a change.
    package enum Representation: String, Hashable, Sendable, CaseIterable {
        case full = "return=representation"
        case nothing = "return=minimal"
        case headers = "return=headers-only"
    }

    /// Whether the response gives the number of rows that fulfil the query.
    package enum Count: String, Hashable, Sendable, CaseIterable {
        case exact = "count=exact"
        case planned = "count=planned"
        case estimated = "count=estimated"
    }

    /// What an absent key means.
    package enum Missing: String, Hashable, Sendable, CaseIterable {
        case defaults = "missing=default"
        case nulls = "missing=null"
    }

    /// What happens to unknown preferences.
    package enum Handling: String, Hashable, Sendable, CaseIterable {
        case strict = "handling=strict"
        case lenient = "handling=lenient"
    }

    /// `resolution=`, if given.
    package var resolution: Resolution?
    /// `return=`, if given.
    package var representation: Representation?
    /// `count=`, if given; every kind of count is exact here.
    package var count: Count?
    /// `missing=`, if given.
    package var missing: Missing?
    /// `handling=`, if given; lenient otherwise.
    package var handling: Handling?
    /// `max-affected=`. Under strict handling, a change to more rows is rolled back.
    package var maximumAffected: Int64?
    /// The preferences that the grammar does not define.
    package var unknown: [String] = []

    /// Reads the values of all headers `Prefer`; the first of several values for one preference is valid.
    package init(headers: [String]) {
        let preferences = headers.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map(
            Self.trimmed)
        resolution = Self.first(in: preferences)
        representation = Self.first(in: preferences)
        count = Self.first(in: preferences)
        missing = Self.first(in: preferences)
        handling = Self.first(in: preferences)
        let prefix = "max-affected="
        let known = ["timezone=", "tx=commit", "tx=rollback"]
        for preference in preferences where !preference.isEmpty && !Self.isKnown(preference) {
            if preference.hasPrefix(prefix) {
                if maximumAffected == nil { maximumAffected = Int64(preference.dropFirst(prefix.count)) }
            } else if !known.contains(where: preference.hasPrefix) {
                unknown.append(preference)
            }
        }
    }

    /// - Throws: `PGRST122` for unknown preferences under strict handling.
    package func checked() throws(RowError) -> RowPreferences {
        if handling == .strict, !unknown.isEmpty { throw .unknownPreferences(unknown) }
        return self
    }

    /// The header `Preference-Applied`; `nil` if there are no preferences.
    package var applied: String? {
        var parts = [
            resolution?.rawValue, missing?.rawValue, representation?.rawValue, count?.rawValue, handling?.rawValue,
        ].compactMap(\.self)
        if handling == .strict, let maximumAffected { parts.append("max-affected=\(maximumAffected)") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private static func first<Value: RawRepresentable<String>>(in preferences: [String]) -> Value? {
        preferences.lazy.compactMap(Value.init(rawValue:)).first
    }

    private static func isKnown(_ preference: String) -> Bool {
        Resolution(rawValue: preference) != nil || Representation(rawValue: preference) != nil
            || Count(rawValue: preference) != nil || Missing(rawValue: preference) != nil
            || Handling(rawValue: preference) != nil
    }

    private static func trimmed(_ text: Substring) -> String {
        let kept = text.drop { $0 == " " || $0 == "\t" }
        guard let last = kept.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return String(kept[...last])
    }
}
