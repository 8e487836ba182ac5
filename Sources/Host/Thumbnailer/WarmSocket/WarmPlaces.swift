internal import Linux
public import ThumbnailCache

/// The places of the socket of a host with warm renderers, which both sides derive from the same settings.
///
/// Each cache has a socket of its own, so that two services with two caches do not meet. The socket lies in the user's folder for
/// run-time files. Where the machine has none, it lies below the cache, by the machine's name, since machines may share a cache.
public enum WarmPlaces {
    /// The candidates, the likeliest first.
    ///
    /// A listener takes the first whose folder it can make.
    public static func candidates(
        cache: FolderCache, environment: [String: String], user: UInt32
    ) -> [String] {
        guard let (device, inode) = cache.identity else { return [] }
        var folders: [String] = []
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { folders.append(folder) }
        // sudo and cron drop a login's environment; its folder still lies where systemd makes it.
        if !folders.contains("/run/user/\(user)") { folders.append("/run/user/\(user)") }
        let name = "warm-\(String(device, radix: 16))-\(String(inode, radix: 16))"
        let absolute = folders.map { "\($0)/compass/\(name)" }
        return absolute + ["\(cache.path)/warm-\(user)/\(MachineName.current)"]
    }
}
