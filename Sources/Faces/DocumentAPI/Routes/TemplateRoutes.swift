internal import Documents
internal import HTTPServing
internal import Hummingbird
internal import Library
internal import Media
internal import People

/// Communication templates.
extension DocumentAPI {
    var templateRoutes: [Route] {
        [
            Route("GET", "/api/communication-templates") { _, context in
                let owner = context.person.owner
                return try await data { try library.store.templates(of: owner).map(\.json) }
            },
            Route("POST", "/api/communication-templates") { request, context in
                let texts = try await Self.texts(request, context)
                guard let type = texts.type else {
                    throw RequestError(message: "The type must be email, text or twitter.", field: "type")
                }
                let owner = context.person.owner
                return try await data(status: .created) {
                    try library.addTemplate(named: texts.name ?? "", type: type, body: texts.body ?? "", of: owner).json
                }
            },
            Route("PATCH", "/api/communication-templates/{id}") { request, context in
                let id: ID<CommunicationTemplate> = try context.id("id", or: .template)
                let texts = try await Self.texts(request, context)
                let owner = context.person.owner
                return try await data {
                    try library.changeTemplate(id, of: owner, name: texts.name, type: texts.type, body: texts.body).json
                }
            },
            Route("DELETE", "/api/communication-templates/{id}") { _, context in
                let id: ID<CommunicationTemplate> = try context.id("id", or: .template)
                let owner = context.person.owner
                try await work.run { try library.store.removeTemplate(id, of: owner) }
                return try .data(.object(["id": .string(id.text)]))
            },
            Route("POST", "/api/communication-templates/preview", isChange: false) { request, context in
                let json = try await request.jsonObject(context, keys: ["body", "values"])
                let body = try TextRules.templateBody(try json.text("body") ?? "")
                let values = try Self.values(json)
                let template = CommunicationTemplate(
                    id: .make(at: Instant(microseconds: 0)), owner: Caller.local.owner, type: .text, name: "",
                    body: body, created: Instant(microseconds: 0), updated: Instant(microseconds: 0))
                return try await data {
                    JSON.object([
                        "text": .string(template.preview(filledWith: values)),
                        "variables": .array(template.variables.map(JSON.string)),
                    ])
                }
            },
        ]
    }

    /// The texts that replace variables.
    private static func values(_ json: JSON) throws(RequestError) -> [String: String] {
        guard let values = json["values"] else { return [:] }
        guard let members = values.members else {
            throw RequestError(message: "values must be an object whose values are strings.", field: "values")
        }
        var texts: [String: String] = [:]
        for member in members {
            guard let text = member.value.string else {
                throw RequestError(message: "values must be an object whose values are strings.", field: "values")
            }
            texts[member.key] = text
        }
        return texts
    }

    private static func texts(
        _ request: Request, _ context: ServiceContext
    ) async throws -> (name: String?, type: CommunicationTemplate.Channel?, body: String?) {
        let json = try await request.jsonObject(context, keys: ["name", "type", "body"])
        let word = try json.text("type")
        let type = word.flatMap(CommunicationTemplate.Channel.init(rawValue:))
        if word != nil, type == nil {
            throw RequestError(message: "The type must be email, text or twitter.", field: "type")
        }
        return (try json.text("name"), type, try json.text("body"))
    }
}
