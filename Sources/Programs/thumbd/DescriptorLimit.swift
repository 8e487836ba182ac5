import CLinux
import Linux

/// How many descriptors this process may have.
enum DescriptorLimit {
    /// Raises the soft limit to the hard one: each job takes some, and nobody who waits with `select` is in this process.
    ///
    /// Renderers inherit it; their children, which open the files, set their own.
    ///
    /// - Returns: the limit now.
    static func raise() throws(SystemError) -> UInt64 {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        try checking("getrlimit") { getrlimit(resource, &limit) }
        limit.rlim_cur = limit.rlim_max
        try checking("setrlimit") { setrlimit(resource, &limit) }
        return UInt64(limit.rlim_cur)
    }
}
