import Foundation
import TestDeadline
import TestSupport
import Testing

@Suite("The source tree keeps to ARCHITECTURE.md", .deadline)
struct ArchitectureTests {
    private let manifest: Manifest

    init() throws { manifest = try Manifest() }

    @Test("Every folder of a wing is a module, or has some, and ARCHITECTURE.md names each module")
    func modules() throws {
        let text = try String(contentsOfFile: "\(Checkout.folder)/ARCHITECTURE.md", encoding: .utf8)
        for (name, module) in manifest.modules {
            #expect(FileManager.default.fileExists(atPath: "\(Self.sources)/\(module.folder)"), "\(module.folder)")
            #expect(text.contains("`\(name)`"), "\(name)")
        }
        for wing in try FileManager.default.contentsOfDirectory(atPath: Self.sources) {
            for folder in try FileManager.default.contentsOfDirectory(atPath: "\(Self.sources)/\(wing)") {
                let path = "\(wing)/\(folder)"
                let isKnown = manifest.modules.values.contains { $0.folder == path || $0.folder.hasPrefix("\(path)/") }
                #expect(isKnown, "\(path)")
            }
        }
    }

    /// What each wing may import besides itself: another wing, or one module of it.
    private static let wings: [String: Set<String>] = [
        "Base": [],
        "Formats": ["Base"],
        "Renderers": ["Base", "Formats"],
        "Host": ["Base", "Wire"],
        "Storage": ["Base", "Host", "Wire", "HTTPSyntax"],
        "HTTP": ["Base"],
        "People": ["Base", "HTTP", "Storage"],
        "Documents": ["Base", "Host", "Storage", "People"],
        "Matching": ["Base", "Host", "Storage"],
        "Faces": ["Base", "Host", "Storage", "HTTP", "People", "Documents", "Matching"],
        "Programs": ["Base", "Host", "Wire", "Storage", "HTTP", "People", "Documents", "Matching", "Faces"],
    ]

    @Test("Wings import in one direction")
    func directions() throws {
        #expect(Set(manifest.modules.values.map(\.wing)) == Set(Self.wings.keys))
        for (name, module) in manifest.modules {
            let allowed = try #require(Self.wings[module.wing])
            for dependency in module.dependencies {
                guard let wing = manifest.modules[dependency]?.wing, wing != module.wing else { continue }
                #expect(allowed.contains(wing) || allowed.contains(dependency), "\(name) imports \(dependency)")
            }
        }
    }

    @Test("Every module imports what Package.swift says, and nothing else")
    func imports() throws {
        for (name, module) in manifest.modules where !name.hasPrefix("C") || name == "Console" {
            var imported: Set<String> = []
            for file in try swiftFiles(below: "\(Self.sources)/\(module.folder)") {
                for other in try importedModules(in: file) {
                    imported.insert(other)
                    let isAllowed = module.dependencies.contains(other) || Self.isFromElsewhere(other, in: name, module)
                    #expect(isAllowed, "\(file): import \(other)")
                }
            }
            let unused = module.dependencies.filter { manifest.modules[$0] != nil }.subtracting(imported)
            #expect(unused.isEmpty || module.folder.hasPrefix("Renderers/"), "\(name) does not import \(unused)")
        }
    }

    private static let systemModules: Set<String> = ["Glibc", "Swift", "Synchronization"]
    /// What comes with Hummingbird.
    private static let serverModules: Set<String> = [
        "HTTPTypes", "HummingbirdCore", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix",
        "ServiceLifecycle",
    ]
    private static let usersOfFoundation: Set<String> = ["MatchStore", "documentd"]

    private static func isFromElsewhere(_ other: String, in name: String, _ module: Manifest.Module) -> Bool {
        if other == "Foundation" { return usersOfFoundation.contains(name) }
        return systemModules.contains(other)
            || serverModules.contains(other) && module.dependencies.contains("Hummingbird")
    }

    @Test("The host's side links no renderer and no media library, and compass and the renderers no server package")
    func programs() {
        let renderers = manifest.modules.filter { ["Renderers", "Formats"].contains($0.value.wing) }.keys
        let media: Set<String> = [
            "CExpat", "CTesseract", "CFFmpeg", "CISAL", "CLCMS", "CMagic", "COpenJPEG", "CPoppler", "CPopplerCore",
            "CSpng", "CVips",
        ]
        let decoding = Set(renderers).subtracting(["Wire"]).union(media)
        let programs = ["compass", "compass-fetch", "compass-queue", "compass-stand-ins", "documentd", "thumbd"]
        for program in programs {
            #expect(manifest.closure(of: program).isDisjoint(with: decoding), "\(program)")
        }
        let packages: Set<String> = ["GRDB", "GRDBSQLite", "Hummingbird", "JWTKit", "Logging"]
        for program in renderers + ["compass", "compass-fetch", "compass-stand-ins"] {
            #expect(manifest.closure(of: program).isDisjoint(with: packages), "\(program)")
        }
    }

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
