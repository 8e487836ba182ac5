import Foundation
import TestSupport

/// The modules of `Sources/` as Package.swift declares them.
struct Manifest {
    /// A module.
    struct Module {
        /// The folder in `Sources/` that the module stands in.
        let wing: String
        /// Where it lies below `Sources`.
        let folder: String
        /// The project's modules and packages' products that it depends on.
        let dependencies: Set<String>
    }

    let modules: [String: Module]

    /// Reads Package.swift.
    init() throws {
        let text = try String(contentsOfFile: "\(Checkout.folder)/Package.swift", encoding: .utf8)
        var modules: [String: Module] = [:]
        func add(_ name: Substring, _ folder: String, _ dependencies: Substring) {
            var names = Set(dependencies.matches(of: /"([\w-]+)"/).map { String($0.output.1) })
            if dependencies.contains("argumentParser") { names.insert("ArgumentParser") }
            let wing = folder.split(separator: "/").first.map(String.init) ?? folder
            modules[String(name)] = Module(
                wing: wing, folder: folder, dependencies: names.subtracting(Self.packages))
        }
        for match in text.matches(of: /\blibrary\(\s*"([\w-]+)", in: "([\w\/]+)",\s*\[([^\]]*)\]/) {
            let (_, name, folder, list) = match.output
            add(name, "\(folder)/\(name)", list)
        }
        for match in text.matches(of: /\brenderer\("([\w-]+)", in: "(\w+)", over: "(\w+)"/) {
            let (_, name, folder, library) = match.output
            add(name, "Renderers/\(folder)/\(name)", #""\#(library)", "Formats", "Media", "Rendering""#)
        }
        let target = /arget\(\s*name: "([\w-]+)",(?:\s*dependencies: \[([^\]]*)\],)?\s*path: "Sources\/([\w\/-]+)"/
        for match in text.matches(of: target) {
            let (_, name, list, folder) = match.output
            add(name, String(folder), list ?? "")
        }
        for match in text.matches(of: /\bsystem\("(\w+)"/) { add(match.output.1, "Base/\(match.output.1)", "") }
        self.modules = modules
    }

    /// Names of packages beside their products'.
    private static let packages: Set<String> = [
        "GRDB.swift", "hummingbird", "jwt-kit", "swift-argument-parser", "swift-log",
    ]

    /// Everything that a module's program contains.
    func closure(of name: String) -> Set<String> {
        var found: Set<String> = []
        var rest = [name]
        while let next = rest.popLast() {
            for dependency in modules[next]?.dependencies ?? [] where found.insert(dependency).inserted {
                rest.append(dependency)
            }
        }
        return found
    }
}
