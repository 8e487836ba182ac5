public import Access
public import Linux
internal import Synchronization

/// The keys of a service while it runs: those of the database, read anew each second.
///
/// While the database cannot be read, the keys stay as they were.
public final class KeyRing: Sendable {
    private let held: Held
    private let isOver = Promise<Void>()
    private let thread: WorkerThread

    private static let pause: Duration = .milliseconds(500)

    /// Reads the keys, and makes those that are missing.
    ///
    /// - Parameter warn: told once of keys that cannot be read any more.
    /// - Throws: `SQLKeyStore.Trouble`; `SystemError` where no thread can be had.
    public init(_ store: SQLKeyStore, warn: @escaping @Sendable (String) -> Void) throws {
        let held = Held(store, keys: try store.keys())
        let isOver = isOver
        self.held = held
        thread = try WorkerThread(name: "keys") {
            var isTold = false
            while isOver.wait(until: Time.monotonic + Self.pause) == nil {
                do throws(SQLKeyStore.Trouble) {
                    held.replace(try store.keys())
                    isTold = false
                } catch {
                    if !isTold { warn("The keys cannot be read; those before count on: \(error)") }
                    isTold = true
                }
            }
        }
    }

    /// The secrets behind cookies, refresh tokens, links and signed addresses.
    public var secrets: Secrets { held.secrets }

    /// The private keys of access tokens as PEM, the one that signs first.
    public var signingKeys: @Sendable () -> [String] {
        let held = held
        return { held.inUse(.tokens).map { String(decoding: $0, as: UTF8.self) } }
    }

    /// Reads the keys no more.
    public func stop() {
        isOver.fulfil(())
        thread.join()
    }

    deinit { stop() }

    fileprivate final class Held: Sendable {
        private let store: SQLKeyStore
        private let keys: Mutex<[KeyPurpose: KeySuccession]>

        init(_ store: SQLKeyStore, keys: [KeyPurpose: KeySuccession]) {
            self.store = store
            self.keys = Mutex(keys)
        }

        func replace(_ keys: [KeyPurpose: KeySuccession]) { self.keys.withLock { $0 = keys } }

        func inUse(_ purpose: KeyPurpose) -> [[UInt8]] {
            let keys = keys.withLock { $0[purpose] }
            return keys?.inUse(at: store.moment, lifetime: SQLKeyStore.lifetime(of: purpose)) ?? []
        }

        var secrets: Secrets { Secrets { self.inUse(.secret) } }
    }
}

extension SQLKeyStore {
    /// The secrets as they are now, for a program that ends soon.
    public func secrets() throws(Trouble) -> Secrets { KeyRing.Held(self, keys: try keys()).secrets }
}
