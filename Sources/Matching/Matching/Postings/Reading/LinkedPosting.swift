internal import Media

/// Reads the properties of schema.org's `JobPosting` (https://schema.org/JobPosting).
enum LinkedPosting {
    /// The postings of a value: itself, the elements of an array or a `@graph`, and list items (`ItemList`); objects of
    /// other types are skipped.
    static func objects(in value: JSON) -> [JSON] {
        var found: [JSON] = []
        collect(value, &found, depth: 0)
        return found
    }

    private static func collect(_ value: JSON, _ found: inout [JSON], depth: Int) {
        guard depth < 8 else { return }
        if let elements = value.array {
            for element in elements { collect(element, &found, depth: depth + 1) }
        } else if isPosting(value) {
            found.append(value)
        } else {
            for key in ["@graph", "itemListElement", "item"] {
                if let inner = value[key] { collect(inner, &found, depth: depth + 1) }
            }
        }
    }

    /// Whether one of the object's types is `JobPosting`, by its name or its address.
    static func isPosting(_ object: JSON) -> Bool {
        let types = object["@type"]?.array?.compactMap(\.string) ?? object["@type"]?.string.map { [$0] } ?? []
        return types.contains {
            $0 == "JobPosting" || $0.hasSuffix("schema.org/JobPosting") || $0 == "schema:JobPosting"
        }
    }

    static func fields(of object: JSON) -> PostingFields {
        let url = object["url"]?.string ?? object["@id"]?.string
        let isRemote = object["jobLocationType"]?.string
        let places = (object["jobLocation"]?.array ?? object["jobLocation"].map { [$0] } ?? []).lazy.compactMap(place)
        return PostingFields(
            id: identifier(object["identifier"]) ?? url, title: object["title"]?.string ?? object["name"]?.string,
            company: name(object["hiringOrganization"]),
            location: places.first ?? isRemote.flatMap { _ in name(first(object["applicantLocationRequirements"])) },
            remote: isRemote, posted: object["datePosted"]?.string, expires: object["validThrough"]?.string,
            url: url.flatMap { $0.contains("://") ? $0 : nil }, text: object["description"]?.string,
            salary: salary(object["baseSalary"]))
    }

    private static func first(_ value: JSON?) -> JSON? { value?.array?.first ?? value }

    /// A text, or a `PropertyValue` with a value.
    private static func identifier(_ value: JSON?) -> String? {
        guard let value = first(value) else { return nil }
        return value.scalarText ?? value["value"]?.scalarText
    }

    private static func name(_ value: JSON?) -> String? { value?.string ?? value?["name"]?.string }

    /// Town, region and country of a `Place` with a `PostalAddress`.
    private static func place(_ value: JSON) -> String? {
        if let text = value.string { return text }
        guard let address = first(value["address"]) else { return value["name"]?.string }
        if let text = address.string { return text }
        let parts = ["addressLocality", "addressRegion", "addressCountry"].compactMap { key in
            name(address[key]).flatMap { $0.isEmpty ? nil : $0 }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// "USD 90000–120000 a year", of a `MonetaryAmount`.
    private static func salary(_ value: JSON?) -> String? {
        guard let value = first(value) else { return nil }
        if let text = amount(value) { return text }
        let inner = value["value"]
        let numbers = [inner?["minValue"], inner?["maxValue"]].compactMap { $0.flatMap(amount) }
        let range =
            numbers.isEmpty
            ? (inner?["value"]).flatMap(amount) ?? inner.flatMap(amount) : numbers.joined(separator: "–")
        guard let range else { return nil }
        let unit = inner?["unitText"]?.string.map { " a \($0.lowercased())" } ?? ""
        return [value["currency"]?.string, range].compactMap { $0 }.joined(separator: " ") + unit
    }

    private static func amount(_ value: JSON) -> String? { value.string ?? value.number.map { _ in value.text } }
}
