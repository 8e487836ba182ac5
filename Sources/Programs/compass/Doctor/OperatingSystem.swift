import CLinux
import Linux
import Media

/// The operating system according to its `os-release`(5).
struct OperatingSystem {
    /// Its name, such as `Debian GNU/Linux 13 (trixie)`.
    let name: String
    /// The release of Debian; `nil` for a system on which the programs are not built and tested.
    let supported: Debian?

    /// The releases of Debian that the programs are built and tested on.
    enum Debian: String, CaseIterable {
        case bookworm = "12"
        case trixie = "13"
    }

    static let current = OperatingSystem(
        release: (try? Descriptor.open("/etc/os-release", O_RDONLY).readAll(limit: 1 << 16)) ?? [])

    private init(release: [UInt8]) {
        var values: [Substring: String] = [:]
        for line in String(decoding: release, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = String(parts[1].filter { $0 != "\"" }) }
        }
        name = values["PRETTY_NAME"] ?? "unknown"
        supported = values["ID"] == "debian" ? values["VERSION_ID"].flatMap(Debian.init) : nil
    }

    /// A sentence for a person if the system is not supported.
    var warning: String? {
        supported != nil ? nil : "\(name) — Compass is built and tested on Debian 12 and 13"
    }
}
