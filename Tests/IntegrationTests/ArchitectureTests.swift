import Foundation
import Testing

@Suite("The source tree keeps to ARCHITECTURE.md")
struct ArchitectureTests {
    /// What each module of ours may import of ours.
    private static let allowed: [String: Set<String>] = [
        "Media": [], "Linux": ["CLinux"], "Wire": ["Media"],
        "Rendering": ["CLinux", "CSeccomp", "Linux", "Media", "Wire"],
        "Formats": ["CZlib", "Media", "Rendering"], "Resampling": ["Linux", "Media"],
        "Sniffer": ["CMagic", "Formats", "Media", "Rendering", "Wire"],
        "ImageRenderer": ["CVips", "Linux", "Media", "Rendering", "Resampling", "Wire", "CLinux"],
        "PlainRenderer": ["CISAL", "CLCMS", "CTurboJPEG", "Linux", "Media", "Rendering", "Resampling", "Wire"],
        "PageRenderer": [
            "COpenJPEG", "CPoppler", "CPopplerCore", "CZlib", "Linux", "Media", "PlainRenderer", "Rendering", "Wire",
            "CLinux",
        ],
        "VideoRenderer": ["CFFmpeg", "Linux", "Media", "Rendering", "Wire", "CLinux"],
        "StandIns": ["CLinux", "Linux", "Media"], "compass-stand-ins": ["CLinux", "Linux", "Media", "StandIns"],
        "RenderHost": ["CLinux", "Linux", "Media", "Wire"],
        "Encoding": ["CTurboJPEG", "CWebP", "CZlib", "Media"],
        "ThumbnailCache": ["CLinux", "CNettle", "Linux", "Media"],
        "JobQueue": ["GRDB", "Linux", "Media"], "Settings": ["Media"],
        "Thumbnailer": ["CLinux", "Encoding", "Linux", "Media", "RenderHost", "ThumbnailCache", "Wire"],
        "Worker": ["CLinux", "JobQueue", "Linux", "Media", "RenderHost", "ThumbnailCache", "Thumbnailer"],
        "thumbd": [
            "ArgumentParser", "CLinux", "Console", "Hummingbird", "HummingbirdCore", "JobQueue", "Linux", "Logging",
            "Media",
            "NIOCore", "RenderHost", "Settings", "ThumbnailCache", "Thumbnailer", "WarmSocket", "Worker",
        ],
        "WarmSocket": [
            "CLinux", "Linux", "Media", "RenderHost", "Settings", "ThumbnailCache", "Thumbnailer", "Wire",
        ],
        "Console": ["ArgumentParser", "CLinux", "Linux", "Media", "Settings"],
        "QueueCommands": ["ArgumentParser", "CLinux", "Console", "Linux", "Media", "Settings"],
        "compass": [
            "ArgumentParser", "CLinux", "Console", "Encoding", "Linux", "Media", "QueueCommands", "RenderHost",
            "Settings", "ThumbnailCache", "Thumbnailer", "WarmSocket",
        ],
        "compass-queue": [
            "ArgumentParser", "CLinux", "Console", "JobQueue", "Linux", "Media", "QueueCommands", "RenderHost",
            "Settings", "ThumbnailCache", "Thumbnailer",
        ],
        "compass-sniff": ["Media", "Rendering", "Sniffer"],
        "compass-render-image": ["Formats", "ImageRenderer", "Media", "Rendering"],
        "compass-render-plain": ["Formats", "Media", "PlainRenderer", "Rendering"],
        "compass-render-pdf": ["Formats", "Media", "PageRenderer", "Rendering"],
        "compass-render-video": ["Formats", "Media", "Rendering", "VideoRenderer"],
    ]

    private static let systemModules: Set<String> = ["Glibc", "Synchronization"]

    @Test("Imports go one way, and the host's side never sees a renderer or a media library")
    func imports() throws {
        let sources = "\(CompassProgram.checkout)/Sources"
        // Those of C libraries have a `C` in front of their names.
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources).filter { name in
            !(name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true)
        }
        #expect(modules.count == Self.allowed.count)
        for module in modules {
            let allowed = try #require(Self.allowed[module], "\(module) is not in the table")
            for file in try swiftFiles(below: "\(sources)/\(module)") {
                let text = try String(contentsOfFile: file, encoding: .utf8)
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ")
                    guard let index = words.firstIndex(of: "import"), index < 2, words.count > index + 1 else {
                        continue
                    }
                    let name = String(words[index + 1])
                    #expect(allowed.contains(name) || Self.systemModules.contains(name), "\(file): import \(name)")
                }
            }
        }
    }

    @Test("No file is a heap: none over 400 lines, and no name that says nothing")
    func files() throws {
        for file in try swiftFiles(below: "\(CompassProgram.checkout)/Sources") {
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(file)")
            for word in ["Utils", "Helper", "Manager", "Common", "Misc"] {
                #expect(!file.split(separator: "/").last!.contains(word), "\(file)")
            }
        }
    }

    @Test("The project's texts carry no absolute path of a machine, and no host of a registry")
    func texts() throws {
        let files = try CompassProgram.run("/usr/bin/git", ["-C", CompassProgram.checkout, "ls-files"]).lines
        #expect(files.count > 50)
        for name in files where ["swift", "md", "c", "h", "tsv"].contains(name.split(separator: ".").last ?? "") {
            if name.hasSuffix("ArchitectureTests.swift") { continue }
            let text = try String(contentsOfFile: "\(CompassProgram.checkout)/\(name)", encoding: .utf8)
            for word in ["/work/", "/home/", "deb.debian.org", "pypi.org"] {
                #expect(!text.contains(word), "\(name): \(word)")
            }
        }
    }

    private func swiftFiles(below folder: String) throws -> [String] {
        let walk = FileManager.default.enumerator(atPath: folder)
        return (walk?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }
}
