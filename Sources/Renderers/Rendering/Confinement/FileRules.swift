internal import CLinux
internal import Linux

/// A Landlock ruleset: read access to some folders and no other file, no network, no signals to other processes.
///
/// The numbers come from the kernel's `landlock.h`. For each version, rights that it does not know are left out.
struct FileRules {
    private let ruleset: Descriptor

    /// The kernel's version of Landlock; `nil` if it has none or has switched it off.
    static var version: Int? {
        let version = Int(clinux_landlock_version())
        return version > 0 ? version : nil
    }

    init(reading folders: [String], version: Int) throws(SystemError) {
        let attributes = [Self.fileAccess(version), Self.networkAccess, Self.scopes].prefix(Self.fieldCount(version))
        let number = try checking("landlock_create_ruleset") {
            attributes.withUnsafeBufferPointer { clinux_landlock_create($0.baseAddress!, $0.count * 8) }
        }
        ruleset = Descriptor(owning: number)
        for folder in folders {
            let place = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY)
            try checking("landlock_add_rule") {
                clinux_landlock_allow(number, place.number, Self.readFile | Self.readFolder)
            }
        }
    }

    /// Confines this process, which must have set `PR_SET_NO_NEW_PRIVS`.
    func enforce() throws(SystemError) {
        try checking("landlock_restrict_self") { clinux_landlock_restrict(ruleset.number) }
    }

    private static let readFile: UInt64 = 1 << 2
    private static let readFolder: UInt64 = 1 << 3
    /// Binding and connecting TCP sockets.
    private static let networkAccess: UInt64 = 0b11
    /// Abstract sockets of, and signals to, processes outside.
    private static let scopes: UInt64 = 0b11

    /// Every access right that the version knows: 13 in version 1, then linking elsewhere (2), truncation (3), device
    /// ioctl (5).
    private static func fileAccess(_ version: Int) -> UInt64 {
        let count: UInt64 =
            switch version {
            case 1: 13
            case 2: 14
            case 3, 4: 15
            default: 16
            }
        return 1 << count - 1
    }

    /// Files; from version 4 the network; from version 6 scopes.
    private static func fieldCount(_ version: Int) -> Int { version < 4 ? 1 : version < 6 ? 2 : 3 }
}
