import CLinux
import Linux
import Media
import Thumbnailer

/// Where renditions go besides the cache: what `-o` says, resolved before any work is done.
enum OutputPlan {
    /// Nothing was said: the cache's paths are printed.
    case cache
    /// `-`: the bytes go to standard output.
    case standardOutput
    /// One file.
    case file(String)
    /// A folder, or a path with `{name}`, `{stem}`, `{recipe}`, `{index}`, `{ext}` (or vipsthumbnail's `%s`) in it.
    case pattern(String)

    /// - Throws: `usage` where the target cannot hold what is asked for.
    init(_ target: String?, sources: [String], recipes: [Recipe]) throws(Failure) {
        guard let target else {
            self = .cache
            return
        }
        let isOne = sources.count == 1 && recipes.count == 1
        let isFolder = target.hasSuffix("/") || (try? FileStatus.of(path: target))?.isDirectory == true
        if target == "-" {
            guard isOne else { throw Failure(.usage, message: "-o - takes one file and one rendition.") }
            self = .standardOutput
        } else if isFolder {
            let folder = target.hasSuffix("/") ? target : target + "/"
            try Self.makeFolder(String(folder.dropLast()))
            self = .pattern(folder + (recipes.count == 1 ? "{stem}.{ext}" : "{stem}-{recipe}.{ext}"))
        } else if target.contains("{") || target.contains("%s") {
            self = .pattern(target)
        } else {
            guard isOne else {
                throw Failure(
                    .usage,
                    message:
                        "-o \(target) names one file, but \(sources.count * recipes.count) renditions are asked for. "
                        + "Name a folder (with / at its end) or a pattern such as {stem}-{recipe}.{ext}.")
            }
            self = .file(target)
        }
        try refuseCollisions(sources: sources, recipes: recipes)
    }

    /// The path of one rendition; `nil` where it goes to no file.
    func path(source: String, index: Int, recipe: Recipe, fileExtension: String) -> String? {
        switch self {
        case .cache, .standardOutput: return nil
        case .file(let path): return path
        case .pattern(let pattern):
            let name = source.split(separator: "/").last.map(String.init) ?? source
            let stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? String(name[..<$0]) : name } ?? name
            var path = ""
            var rest = Substring(pattern)
            let values = [
                "{name}": name, "{stem}": stem, "%s": stem, "{recipe}": recipe.readableName, "{index}": "\(index + 1)",
                "{ext}": fileExtension,
            ]
            // One pass: what a name contains is never taken for a placeholder.
            while let first = rest.first {
                if let (key, value) = values.first(where: { rest.hasPrefix($0.key) }) {
                    path += value
                    rest = rest.dropFirst(key.count)
                } else {
                    path.append(first)
                    rest = rest.dropFirst()
                }
            }
            return path
        }
    }

    private func refuseCollisions(sources: [String], recipes: [Recipe]) throws(Failure) {
        guard case .pattern = self else { return }
        var taken: [String: String] = [:]
        for (index, source) in sources.enumerated() {
            for recipe in recipes {
                guard let path = path(source: source, index: index, recipe: recipe, fileExtension: "*") else {
                    continue
                }
                if let other = taken.updateValue(source, forKey: path) {
                    throw Failure(
                        .usage,
                        message: "\(other) and \(source) would both be written to \(path). "
                            + "Use a pattern with {name}, {recipe} or {index}.")
                }
            }
        }
    }

    private static func makeFolder(_ path: String) throws(Failure) {
        do throws(SystemError) {
            try checking("mkdir") { mkdir(path, 0o777) }
        } catch {
            if error.number == EEXIST { return }
            throw Failure(.unavailable, message: "The folder \(path) cannot be made: \(error.reason).")
        }
    }
}
