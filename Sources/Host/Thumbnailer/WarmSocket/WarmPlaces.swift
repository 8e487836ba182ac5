internal import Linux
public import ThumbnailCache

/// The places of the socket of a host with warm renderers, which both sides derive from the same settings.
///
/// Each cache has its own socket, so that two services with two caches do not meet. The socket is in the user's folder
/// for run-time files. If the machine has none, it is below the cache, under the machine's name, because machines may
/// share a cache.
public enum WarmPlaces {
    /// The candidates, the most likely first.
    ///
    /// A listener takes the first one whose folder it can create.
    public static func candidates(
        cache: FolderCache, environment: [String: String], user: UInt32
    ) -> [String] {
        guard let (device, inode) = cache.identity else { return [] }
        var folders: [String] = []
        if let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { folders.append(folder) }
        // sudo and cron drop a login's environment; its folder is still where systemd creates it.
        if !folders.contains("/run/user/\(user)") { folders.append("/run/user/\(user)") }
        let name = "warm-\(String(device, radix: 16))-\(String(inode, radix: 16))"
        let absolute = folders.map { "\($0)/compass/\(name)" }
        return absolute + ["\(cache.path)/warm-\(user)/\(MachineName.current)"]
    }
}
