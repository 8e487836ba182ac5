/// The processor that a renderer was built for. The lists of system calls are written and tested only for x86-64.
package enum Architecture: String, CaseIterable {
    case amd64 = "x86-64"
    case arm64
    case other

    /// The architecture that the compiler built this program for.
    package static var thisBuild: Architecture {
        #if arch(x86_64)
            .amd64
        #elseif arch(arm64)
            .arm64
        #else
            .other
        #endif
    }

    /// The note for people if there is no list. Such a renderer works, but `--require-sandbox` refuses it.
    package var filterNote: String? {
        self == .amd64
            ? nil : "NO SYSTEM CALL FILTER: its lists are written for x86-64, and this build is for \(rawValue)"
    }
}
