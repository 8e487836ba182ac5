internal import CLinux

/// Drops root's rights: tests also run as root, to whom permissions do not apply.
package enum OrdinaryUser {
    /// Turns this process into a process of the user nobody.
    package static func become() {
        guard getuid() == 0 else { return }
        guard clinux_call(Int(SYS_setgroups), 0, 0, 0, 0, 0) == 0, setgid(65534) == 0, setuid(65534) == 0 else {
            exit(1)
        }
        // After a change of user, /proc/self belongs to root, and no namespace could be mapped.
        clinux_prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    }
}
