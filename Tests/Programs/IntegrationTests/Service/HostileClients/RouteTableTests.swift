import DocumentAPI
import Media
import People
import Testing

extension AccessMatrixTests {
    @Suite("The table of how every route is called")
    struct RouteTableTests {
        @Test("Every route has a row, every row a route, and each says truly whether it changes things or takes a file")
        func routes() async throws {
            let service = try await AccessService.start()
            await service.stop()
            let rows = try HostileRoutes().rows
            let served = Dictionary(
                service.rules.map { ("\($0.method) \($0.path)", $0) }, uniquingKeysWith: { first, _ in first })
            #expect(Set(served.keys).subtracting(rows.map(\.route)) == [], "routes without a row")
            #expect(Set(rows.map(\.route)).subtracting(served.keys) == [], "rows without a route")
            for row in rows {
                #expect(served[row.route]?.takesFile == row.takesFile, "\(row.name) takes a file or not")
                // The refresh of a session, too, changes it.
                #expect(served[row.route]?.isChange == row.isChange, "\(row.name) is a change or not")
            }
            #expect(Set(rows.map(\.name)).count == rows.count, "each row has a name of its own")
        }

        @Test("Every operation of the OpenAPI file has a row, with a body where the file says that it has one")
        func openAPI() throws {
            let rows = try HostileRoutes().rows
            let paths = try #require(try JSON(parsing: OpenAPIFile.bytes)["paths"]?.members)
            #expect(paths.count > 40)
            for path in paths {
                for operation in path.value.members ?? [] where operation.value["responses"] != nil {
                    let route = "\(operation.key.uppercased()) \(path.key)"
                    let own = rows.filter { $0.route == route }
                    #expect(!own.isEmpty, "\(route) has no row")
                    guard operation.value["requestBody"] != nil else { continue }
                    #expect(own.contains { $0.body != nil }, "\(route) has no row with a body")
                }
            }
        }
    }
}
