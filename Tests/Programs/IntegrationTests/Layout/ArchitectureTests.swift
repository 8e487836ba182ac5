import Foundation
import TestDeadline
import TestSupport
import Testing

@Suite("The source tree keeps to ARCHITECTURE.md", .deadline)
struct ArchitectureTests {
    private static let systemModules: Set<String> = ["Glibc", "Swift", "Synchronization"]

    private let table: ModuleTable

    init() throws { table = try ModuleTable() }

    @Test("Every module stands on its floor, and imports what the table allows")
    func imports() throws {
        let folders = try moduleFolders()
        #expect(Set(folders.keys) == Set(table.entries.keys))
        for (module, folder) in folders {
            let entry = try #require(table.entries[module], "\(module) is not in the table")
            #expect(folder.split(separator: "/").first.map(String.init) == entry.floor, "\(folder)")
            for file in try swiftFiles(below: "\(Self.sources)/\(folder)") {
                for name in try importedModules(in: file) where !Self.systemModules.contains(name) {
                    #expect(entry.imports.contains(name), "\(file): import \(name)")
                }
            }
        }
    }

    @Test("Imports go one way, down the floors")
    func floors() throws {
        #expect(table.floors == ["Values", "System", "Formats", "Renderers", "Host", "Queue", "Service", "Programs"])
        for (module, entry) in table.entries {
            let height = try #require(table.height(of: module))
            for name in entry.imports {
                if let other = table.height(of: name) { #expect(other <= height, "\(module) imports \(name)") }
            }
        }
    }

    @Test("The host's side never links a renderer or a media library")
    func hostSide() {
        let renderers = Set(table.entries.filter { $0.value.floor == "Renderers" }.keys).subtracting(["Wire"])
        let media: Set<String> = [
            "CExpat", "CTesseract", "CFFmpeg", "CISAL", "CLCMS", "CMagic", "COpenJPEG", "CPoppler", "CPopplerCore",
            "CSpng", "CVips", "Formats",
        ]
        for (module, entry) in table.entries where ["Host", "Queue", "Service", "Programs"].contains(entry.floor) {
            #expect(entry.imports.isDisjoint(with: renderers.union(media)), "\(module)")
        }
    }

    @Test("Package.swift lists the dependencies that the table allows")
    func dependencies() throws {
        let package = try String(contentsOfFile: "\(Checkout.folder)/Package.swift", encoding: .utf8)
        for (module, entry) in table.entries where !module.hasPrefix("C") && !module.hasPrefix("compass-render") {
            if ["compass-sniff", "compass-read-text", "compass-recognize"].contains(module) { continue }
            let declaration = try Regex("(?:library\\(|name:)\\s*\"\(module)\",\\s*(?:in:|dependencies)")
            let start = try #require(package.firstRange(of: declaration), "\(module)")
            let list = package[start.upperBound...].drop { $0 != "[" }.prefix { $0 != "]" }
            let names = Set(list.matches(of: /"([\w-]+)"|argumentParser/).map { $0.output.1 ?? "ArgumentParser" })
            for name in names.subtracting(Self.packages) {
                #expect(entry.imports.contains(String(name)), "\(module) depends on \(name)")
            }
        }
    }

    /// The packages whose products Package.swift names.
    private static let packages: Set<Substring> = [
        "GRDB.swift", "hummingbird", "jwt-kit", "swift-argument-parser", "swift-log",
    ]

    @Test("No file has over 400 lines or a name without a meaning")
    func files() throws {
        for file in try swiftFiles(below: "\(Checkout.folder)/Sources") {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(file)")
            for word in ["Utils", "Helper", "Manager", "Common", "Misc"] {
                #expect(!file.split(separator: "/").last!.contains(word), "\(file)")
            }
        }
    }

    @Test("The project's texts carry no absolute path of a machine, and no host of a registry")
    func texts() throws {
        let files = try CompassProgram.run("/usr/bin/git", ["-C", Checkout.folder, "ls-files"]).lines
        #expect(files.count > 50)
        for name in files where ["swift", "md", "c", "h", "tsv"].contains(name.split(separator: ".").last ?? "") {
            if name.hasSuffix("ArchitectureTests.swift") { continue }
            let text = try String(contentsOfFile: "\(Checkout.folder)/\(name)", encoding: .utf8)
            for word in ["/work/", "/home/", "deb.debian.org", "pypi.org"] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
        }
    }

    private static let sources = "\(Checkout.folder)/Sources"

    /// Where each module of Package.swift lies below `Sources`.
    private func moduleFolders() throws -> [String: String] {
        let package = try String(contentsOfFile: "\(Checkout.folder)/Package.swift", encoding: .utf8)
        let modules = Set(
            package.matches(of: /(?:library\(|system\(|renderer\(|arget\(\s*name:)\s*"([\w-]+)"/).map { $0.output.1 })
        var folders: [String: String] = [:]
        for floor in try FileManager.default.contentsOfDirectory(atPath: Self.sources) {
            for path in FileManager.default.enumerator(atPath: "\(Self.sources)/\(floor)")?.allObjects as? [String]
                ?? []
            {
                let parts = path.split(separator: "/")
                // A folder inside a module may have the name of another module.
                let depth = folders[String(parts.last!)]?.split(separator: "/").count ?? .max
                if modules.contains(parts.last!), parts.count + 1 < depth {
                    folders[String(parts.last!)] = "\(floor)/\(path)"
                }
            }
        }
        return folders
    }

    private func importedModules(in file: String) throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            // A text in several lines may have the word too.
            guard line.first != " " else { return nil }
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index < 2, words.count > index + 1 else { return nil }
            return String(words[index + 1])
        }
    }

    private func swiftFiles(below folder: String) throws -> [String] {
        let walk = FileManager.default.enumerator(atPath: folder)
        return (walk?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }
}
