internal import Media

/// Reads the properties of schema.org's `JobPosting` (https://schema.org/JobPosting).
enum LinkedPosting {
    static func fields(of object: JSON) -> PostingRules.Fields {
        let url = object["url"]?.string ?? object["@id"]?.string
        return PostingRules.Fields(
            id: identifier(object["identifier"]) ?? url,
            title: object["title"]?.string ?? object["name"]?.string,
            company: name(object["hiringOrganization"]),
            location: (object["jobLocation"]?.array ?? object["jobLocation"].map { [$0] } ?? []).lazy.compactMap(place)
                .first,
            remote: object["jobLocationType"]?.string,
            posted: object["datePosted"]?.string, expires: object["validThrough"]?.string,
            url: url.flatMap { $0.contains("://") ? $0 : nil },
            text: object["description"]?.string, salary: salary(object["baseSalary"]))
    }

    /// A text, or a `PropertyValue` with a value.
    private static func identifier(_ value: JSON?) -> String? {
        guard let value else { return nil }
        return value.scalarText ?? value["value"]?.scalarText
    }

    private static func name(_ value: JSON?) -> String? { value?.string ?? value?["name"]?.string }

    /// Town, region and country of a `Place` with a `PostalAddress`.
    private static func place(_ value: JSON) -> String? {
        if let text = value.string { return text }
        guard let address = value["address"] else { return value["name"]?.string }
        if let text = address.string { return text }
        let parts = ["addressLocality", "addressRegion", "addressCountry"].compactMap { key in name(address[key]) }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// "USD 90000–120000 a YEAR", of a `MonetaryAmount`.
    private static func salary(_ value: JSON?) -> String? {
        guard let value else { return nil }
        if let text = value.scalarText { return text }
        let amount = value["value"]
        let numbers = [amount?["minValue"]?.scalarText, amount?["maxValue"]?.scalarText].compactMap { $0 }
        let range =
            numbers.isEmpty ? amount?["value"]?.scalarText ?? amount?.scalarText : numbers.joined(separator: "–")
        guard let range else { return nil }
        let unit = amount?["unitText"]?.string.map { " a \($0.lowercased())" } ?? ""
        return [value["currency"]?.string, range].compactMap { $0 }.joined(separator: " ") + unit
    }
}
