import CLinux
import Linux
import Media

/// The destination of renditions that `-o` names, resolved before any file is opened.
enum OutputPlan {
    /// No `-o`: the paths in the cache are printed.
    case cache
    /// `-`: the bytes of the rendition are printed.
    case standardOutput
    /// A path for the only rendition.
    case file(FilePath)
    /// A folder, or a path with `{name}`, `{stem}`, `{recipe}`, `{index}`, `{ext}` (or vipsthumbnail's `%s`) in it.
    case pattern(FilePath)

    /// - Throws: `usage` if the target cannot hold all renditions, or two of them would share a path.
    init(_ target: FilePath?, sources: [FilePath], recipes: [Recipe]) throws(Failure) {
        guard let target else {
            self = .cache
            return
        }
        let isOne = sources.count == 1 && recipes.count == 1
        let isFolder = target.endsWithSlash || (try? FileStatus.of(path: target.bytes))?.isDirectory == true
        if Self.standardOutputNames.contains(target) {
            guard isOne else {
                throw Failure(.usage, message: "-o \(target.shown) takes one file and one rendition.")
            }
            self = .standardOutput
        } else if isFolder {
            try Self.makeFolder(target)
            self = .pattern(
                target.appending((recipes.count == 1 ? "{stem}.{ext}" : "{stem}-{recipe}.{ext}").utf8))
        } else if target.readable.contains("{") || target.readable.contains("%s") {
            self = .pattern(target)
        } else {
            guard isOne else {
                throw Failure(
                    .usage,
                    message:
                        "-o \(target.shown) names one file, but \(sources.count * recipes.count) renditions are requested. "
                        + "Name a folder (with / at its end) or a pattern such as {stem}-{recipe}.{ext}.")
            }
            self = .file(target)
        }
        try refuseCollisions(sources: sources, recipes: recipes)
    }

    /// The names of standard output. If it were opened by name, a file behind it would be overwritten from its
    /// beginning.
    private static let standardOutputNames = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].map { FilePath($0) }

    /// The path of one rendition; `nil` if it is not written to a file.
    func path(source: FilePath, index: Int, recipe: Recipe, fileExtension: String) -> FilePath? {
        switch self {
        case .cache, .standardOutput: return nil
        case .file(let path): return path
        case .pattern(let pattern):
            let stem = source.stem.bytes
            let values: [(key: [UInt8], value: [UInt8])] = [
                ("{name}", source.name.bytes), ("{stem}", stem), ("%s", stem),
                ("{recipe}", Array(recipe.readableName.utf8)), ("{index}", Array("\(index + 1)".utf8)),
                ("{ext}", Array(fileExtension.utf8)),
            ].map { (Array($0.0.utf8), $0.1) }
            var path: [UInt8] = []
            var rest = pattern.bytes[...]
            // In one pass, so that a placeholder within a file's name stays unchanged.
            while let first = rest.first {
                if let (key, value) = values.first(where: { rest.starts(with: $0.key) }) {
                    path += value
                    rest = rest.dropFirst(key.count)
                } else {
                    path.append(first)
                    rest = rest.dropFirst()
                }
            }
            return FilePath(path)
        }
    }

    private func refuseCollisions(sources: [FilePath], recipes: [Recipe]) throws(Failure) {
        guard case .pattern = self else { return }
        var taken: [FilePath: FilePath] = [:]
        for (index, source) in sources.enumerated() {
            for recipe in recipes {
                guard let path = path(source: source, index: index, recipe: recipe, fileExtension: "*") else {
                    continue
                }
                if let other = taken.updateValue(source, forKey: path) {
                    throw Failure(
                        .usage,
                        message: "\(other.shown) and \(source.shown) would both be written to \(path.shown). "
                            + "Use a pattern with {name}, {recipe} or {index}.")
                }
            }
        }
    }

    private static func makeFolder(_ path: FilePath) throws(Failure) {
        do throws(SystemError) {
            try checking("mkdir") { mkdir(terminated(path.bytes), 0o777) }
        } catch {
            if error.number == EEXIST { return }
            throw Failure(.unavailable, message: "The folder \(path.shown) cannot be created: \(error.reason).")
        }
    }
}
