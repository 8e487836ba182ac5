internal import CLinux
package import Linux

/// The limit of open descriptors of this process.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard limit. Each job needs several descriptors, and no code of this process uses
    /// `select`, which fails beyond 1,024.
    ///
    /// Renderers inherit the limit; their children set their own before they see a file.
    ///
    /// - Returns: the new limit.
    package static func raise() throws(SystemError) -> UInt64 {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        try checking("getrlimit") { getrlimit(resource, &limit) }
        limit.rlim_cur = limit.rlim_max
        try checking("setrlimit") { setrlimit(resource, &limit) }
        return UInt64(limit.rlim_cur)
    }
}
