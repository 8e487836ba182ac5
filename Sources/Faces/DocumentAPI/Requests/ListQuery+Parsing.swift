internal import Documents
internal import HTTPSyntax
internal import Media

extension ListQuery {
    /// The list that a query string asks for; unknown names are refused, so that no filter is silently dropped.
    init(_ items: QueryItems) throws(RequestError) {
        self.init()
        for item in items.items {
            switch item.name {
            case "type": types.formUnion(try Self.types(item.value))
            case "school": school = try Self.school(item.value)
            case "shared": isShared = try Self.truth(item.value, "shared")
            case "q": search = try Self.search(item.value)
            case "sort":
                guard let sort = Sort(rawValue: item.value) else {
                    throw RequestError(
                        message: "Sort by \(Sort.allCases.map(\.rawValue).joined(separator: ", ")).", field: "sort")
                }
                self.sort = sort
            case "limit":
                guard let limit = Int(item.value), (1...Self.largestLimit).contains(limit) else {
                    throw RequestError(message: "The limit must be from 1 to \(Self.largestLimit).", field: "limit")
                }
                self.limit = limit
            case "cursor":
                guard let cursor = ListCursor(text: item.value) else {
                    throw RequestError(message: "The cursor is invalid. Ask for the first page.", field: "cursor")
                }
                self.cursor = cursor
            default:
                throw RequestError(message: "Unknown filter.", field: String(item.name.prefix(64)))
            }
        }
        if let cursor, cursor.sort != sort {
            throw RequestError(message: "The cursor is for another order. Ask for the first page.", field: "cursor")
        }
    }

    private static func types(_ text: String) throws(RequestError) -> Set<DocumentType> {
        var types: Set<DocumentType> = []
        for word in text.split(separator: ",") {
            guard let type = DocumentType(rawValue: String(word)) else {
                throw RequestError(
                    message: "Types are \(DocumentType.allCases.map(\.rawValue).joined(separator: ", ")).",
                    field: "type")
            }
            types.insert(type)
        }
        return types
    }

    private static func school(_ text: String) throws(RequestError) -> SchoolFilter {
        if text == "general" { return .general }
        guard let id = ID<School>(text) else {
            throw RequestError(message: "school must be a school's id, or general.", field: "school")
        }
        return .school(id)
    }

    private static func truth(_ text: String, _ field: String) throws(RequestError) -> Bool {
        switch text {
        case "true": return true
        case "false": return false
        default: throw RequestError(message: "\(field) must be true or false.", field: field)
        }
    }

    private static func search(_ text: String) throws(RequestError) -> String {
        guard text.utf8.count <= 1000 else { throw RequestError(message: "The search is too long.", field: "q") }
        return text
    }
}
