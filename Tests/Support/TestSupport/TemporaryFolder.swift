internal import Glibc

/// Folders that no other test uses.
public enum TemporaryFolder {
    /// Makes a folder `/tmp/compass-NAME-…`, which the caller removes.
    public static func make(_ name: String) -> String {
        var template = Array("/tmp/compass-\(name)-XXXXXX".utf8CString)
        return template.withUnsafeMutableBufferPointer { template in
            guard mkdtemp(template.baseAddress!) != nil else { fatalError("no folder can be made in /tmp") }
            return String(cString: template.baseAddress!)
        }
    }
}
