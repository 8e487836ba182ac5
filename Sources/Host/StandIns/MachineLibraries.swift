internal import CLinux
internal import Linux
internal import Media

/// The shared libraries that the dynamic linker knows on this machine.
struct MachineLibraries {
    /// Paths by file name.
    private let paths: [String: String]

    init() throws(Failure) {
        guard let listing = popen("LC_ALL=C /sbin/ldconfig -p", "r") else {
            throw Failure(.unavailable, detail: "\(SystemError.last("popen"))")
        }
        var text: [UInt8] = []
        var byte = fgetc(listing)
        while byte != EOF {
            text.append(UInt8(truncatingIfNeeded: byte))
            byte = fgetc(listing)
        }
        guard pclose(listing) == 0 else {
            throw Failure(.unavailable, message: "The machine's libraries cannot be listed (/sbin/ldconfig -p failed).")
        }
        var paths: [String: String] = [:]
        // "\tlibX11.so.6 (libc6,x86-64) => /lib/x86_64-linux-gnu/libX11.so.6"; the first entry of a name is the one
        // that is loaded.
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.drop { $0 == "\t" }.split(separator: " ")
            guard words.count >= 4, words[words.count - 2] == "=>", words[1].contains("64") else { continue }
            paths[String(words[0])] = paths[String(words[0])] ?? String(words.last!)
        }
        self.paths = paths
    }

    /// The installed versions of a library, found by its name without a version: the names that others request, and the
    /// files' paths.
    func versions(of name: String) -> [(name: String, path: String)] {
        paths.filter { $0.key == "\(name).so" || $0.key.hasPrefix("\(name).so.") }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
    }

    /// The paths of all libraries that a program is linked with, directly or through others; none if the program does
    /// not exist.
    func needed(by program: String) -> Set<String> {
        var needed: Set<String> = []
        var rest = [program]
        while let file = rest.popLast() {
            // A file that is not a library has no dependencies; the program's start will show it.
            for name in (try? SharedLibrary.needs(ofFileAt: file)) ?? [] {
                if let path = paths[name], needed.insert(path).inserted { rest.append(path) }
            }
        }
        return needed
    }
}
