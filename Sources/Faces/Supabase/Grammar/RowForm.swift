/// The form of the rows in a response.
package enum RowForm: Hashable, Sendable {
    /// An array of objects.
    case array
    /// A single object, of exactly one row.
    case object
    /// A line of names, and one for each row.
    case csv

    /// Chooses the form by the header `Accept`.
    ///
    /// - Throws: `PGRST107` if none of its types is available.
    package init(accept: String?) throws(RowError) {
        guard let accept, !accept.isEmpty else {
            self = .array
            return
        }
        let offers = accept.split(separator: ",").map(Offer.init).filter { !$0.type.isEmpty }
        let sorted = offers.enumerated().sorted { left, right in
            left.element.quality == right.element.quality
                ? left.offset < right.offset : left.element.quality > right.element.quality
        }
        for (_, offer) in sorted where offer.quality > 0 {
            switch offer.type {
            case "*/*", "application/*", "application/json", "application/vnd.pgrst.array+json",
                "application/vnd.pgrst.array":
                self = .array
                return
            case "application/vnd.pgrst.object+json", "application/vnd.pgrst.object":
                self = .object
                return
            case "text/csv":
                self = .csv
                return
            default: continue
            }
        }
        throw .notAcceptable(offers.map(\.type))
    }

    /// The response's media type.
    package var contentType: String {
        switch self {
        case .array: "application/json; charset=utf-8"
        case .object: "application/vnd.pgrst.object+json; charset=utf-8"
        case .csv: "text/csv; charset=utf-8"
        }
    }

    private struct Offer {
        var type: String
        var quality = 1.0

        init(_ text: Substring) {
            let parts = text.split(separator: ";").map { part in String(part.filter { $0 != " " && $0 != "\t" }) }
            type = parts.first?.lowercased() ?? ""
            for parameter in parts.dropFirst() where parameter.hasPrefix("q=") {
                quality = Double(parameter.dropFirst(2)) ?? 1
            }
        }
    }
}
