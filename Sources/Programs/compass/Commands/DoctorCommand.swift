import ArgumentParser
import CLinux
import Console
import Linux
import Media
import RenderHost
import SourceFiles
import ThumbnailCache
import Thumbnailer

/// `compass doctor`: checks renderers, decoders, fonts and the cache.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract:
            "Check renderers, decoders, fonts, the cache and any configured database and store; say what to install.",
        discussion: "Exit status 0 if all checks pass, 3 otherwise.")

    @Flag(help: "Print a line of JSON for each check.")
    var json = false

    @OptionGroup(title: "Settings")
    var settings: SettingsOptions

    func run() throws {
        let session = try Session(settings.resolve(), usesCache: false, fileCount: BuiltInSample.all.count)
        let checks =
            [Self.system] + Self.renderers(session) + Self.decoders(session) + Self.fonts(session) + [
                Self.cache(session)
            ] + ServiceChecks(session.settings).all
        for check in checks { print(check) }
        if checks.contains(where: { $0.problem != nil }) { throw ExitCode(3) }
    }

    /// The result of one check.
    struct Check: Sendable {
        let name: String
        /// The version, time or path that the check found.
        var found = ""
        /// A flaw that does not prevent the program from working.
        var warning: String?
        /// A fault with its remedy.
        var problem: String?
    }

    private func print(_ check: Check) {
        if json {
            let line = JSON.object([
                "check": .string(check.name), "ok": .bool(check.problem == nil), "found": .string(check.found),
                "warning": check.warning.map(JSON.string), "problem": check.problem.map(JSON.string),
            ])
            StandardOutput.write(line.text + "\n")
        } else {
            let mark = check.problem != nil ? "PROBLEM" : check.warning != nil ? "WARNING" : "OK"
            let text = check.problem ?? check.warning ?? check.found
            StandardOutput.write(Columns.line([(mark, 7), (check.name, 22), (text, 0)]))
        }
    }
}

extension DoctorCommand {
    private static var system: Check {
        Check(name: "system", found: OperatingSystem.current.name, warning: OperatingSystem.current.warning)
    }

    private static func renderers(_ session: Session) -> [Check] {
        let classes: [RendererClass] = [.sniff, .plain, .image, .svg, .pdf, .video, .text, .recognition]
        for rendererClass in classes { session.host.prepare(rendererClass) }
        return classes.map { rendererClass in
            var check = Check(name: "\(rendererClass.name) renderer")
            do throws(Failure) {
                let build = try session.host.build(of: rendererClass)
                check.found = build.text
                if !build.notes.isEmpty { check.warning = build.notes.joined(separator: "; ") }
            } catch {
                check.problem = "\(error.line) — install what packages.txt lists, or rebuild"
            }
            return check
        }
    }

    private static func decoders(_ session: Session) -> [Check] {
        BuiltInSample.all.map { sample in
            var check = Check(name: sample.name)
            do throws(Failure) {
                let start = Time.monotonic
                let explanation = Explanation()
                let usual = try picture(sample.bytes, session, explanation: explanation)
                check.found = "decoded in \(Int((Time.monotonic - start).milliseconds.rounded())) ms"
                let plain = try picture(sample.bytes, session, skipsShortcuts: true)
                check.warning = difference(of: usual, from: plain, explanation)
            } catch {
                check.problem = "\(error.line) — install \(sample.remedy)"
            }
            return check
        }
    }

    /// Compares a sample's picture with that of the libraries alone, without shortcuts and stand-ins; `nil` if they
    /// agree.
    private static func difference(of usual: Bitmap, from plain: Bitmap, _ explanation: Explanation) -> String? {
        if let first = explanation.children.first, explanation.children.contains(where: \.skipsShortcuts) {
            return "only decoded without stand-ins and shortcuts (with them: \(first.outcome)) — rebuild or reinstall"
        }
        let (sum, count) = usual.withUnsafeBytes { usual in
            plain.withUnsafeBytes { plain in
                guard usual.count == plain.count else { return (Int.max, 1) }
                return (zip(usual, plain).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }, max(1, usual.count))
            }
        }
        return sum / count <= mostDifference
            ? nil : "shown differently with stand-ins and shortcuts than without — rebuild or reinstall"
    }

    /// In levels. Two resizers, or a decoder at lower effort, differ by one or two on average.
    private static let mostDifference = 8

    private static func fonts(_ session: Session) -> [Check] {
        [
            fontCheck("fonts") {
                let ink = try ink(of: BuiltInSample.standardFontPage, session)
                return ink.contains(true) ? [] : [("Latin text", "fonts-urw-base35 or fonts-liberation")]
            },
            fontCheck("CJK fonts") {
                try UnembeddedScript.all.filter { script in
                    let inks = try script.pages.map { try ink(of: $0, session) }
                    return !inks[0].contains(true) || inks[0] == inks[1]
                }.map { ($0.name, "poppler-data and \($0.remedy) or fonts-noto-cjk") }
            },
        ]
    }

    /// - Parameter missing: returns the scripts without a font, and the packages to install.
    private static func fontCheck(_ name: String, missing: () throws -> [(script: String, remedy: String)]) -> Check {
        var check = Check(name: name, found: "text in fonts that are not embedded is shown")
        do {
            let missing = try missing()
            if missing.isEmpty { return check }
            let scripts = missing.map(\.script).joined(separator: ", ")
            let remedies = missing.map(\.remedy).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            check.problem =
                "\(scripts) in fonts that are not embedded: blank or boxes — install \(remedies.joined(separator: ", "))"
        } catch let failure as Failure {
            check.problem = failure.line
        } catch {
            check.problem = "\(error)"
        }
        return check
    }

    /// For each byte of a page's picture, whether it is dark.
    private static func ink(of page: String, _ session: Session) throws(Failure) -> [Bool] {
        try picture(Array(page.utf8), session).withUnsafeBytes { $0.map { $0 < 128 } }
    }

    private static func picture(
        _ bytes: [UInt8], _ session: Session, skipsShortcuts: Bool = false, explanation: Explanation? = nil
    ) throws(Failure) -> Bitmap {
        let source = try SourceFile.inMemory(name: "sample", bytes: bytes)
        return try session.thumbnailer.preview(
            of: source, in: Box(width: 64, height: 64)!, skipsShortcuts: skipsShortcuts, explanation: explanation)
    }

    private static func cache(_ session: Session) -> Check {
        var check = Check(name: "cache", found: FilePath(session.settings.cachePath).shown)
        do throws(Failure) {
            _ = try FolderCache(of: session.settings)
        } catch {
            check.problem = error.line
            return check
        }
        // The cache makes its folder at the first write: the nearest existing folder must be writable.
        var path = session.settings.cachePath
        while access(path, F_OK) != 0, let slash = path.lastIndex(of: "/"), slash > path.startIndex {
            path = String(path[..<slash])
        }
        if access(path, F_OK) != 0 { path = "." }
        if access(path, W_OK) != 0 {
            check.problem = "\(path) cannot be written — give this user write access, or set --cache or COMPASS_CACHE"
        }
        return check
    }
}
