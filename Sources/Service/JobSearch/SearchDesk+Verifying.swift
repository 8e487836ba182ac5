internal import Documents
internal import SearchDatabase

extension SearchDesk {
    /// Looks at the file of every search.
    ///
    /// - Parameters:
    ///   - damage: what is wrong with the file at a path, whose size is given where it was noted; `nil` for a sound file.
    ///   - found: told of each damaged file: the session of its search, its path, and the damage.
    /// - Returns: the number of files that were looked at.
    public func verify<Damage>(
        _ damage: (_ path: String, _ byteCount: Int64?) -> Damage?,
        found: (_ session: String, _ path: String, Damage) -> Void
    ) throws -> Int {
        var (count, last) = (0, String?.none)
        while true {
            let page = try searches.files(behind: last, limit: 100)
            for file in page {
                // A search that was deleted meanwhile has no file.
                if let damage = damage(file.path, file.byteCount), try searches.hasSearch(ofFile: file.path) {
                    found("\(file.session)", file.path, damage)
                }
                count += 1
            }
            guard let end = page.last else { return count }
            last = end.path
        }
    }
}
