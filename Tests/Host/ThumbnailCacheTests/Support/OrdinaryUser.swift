import CLinux
import Glibc
import Linux
import Synchronization

/// Runs code with an ordinary user's rights to files, also where the tests run as root.
///
/// `setfsuid(2)` changes them for the calling thread alone, and drops root's power over permissions with them.
enum OrdinaryUser {
    static func run(_ body: @escaping @Sendable () -> Void) throws {
        guard geteuid() == 0 else { return body() }
        let thread = try WorkerThread(name: "nobody") {
            // Not imported: its header is none of Swift's Glibc module's.
            let address = dlsym(nil, "setfsuid")!
            let setFileUser = unsafeBitCast(address, to: (@convention(c) (UInt32) -> Int32).self)
            _ = setFileUser(65534)
            body()
        }
        thread.join()
    }
}
