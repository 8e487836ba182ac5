internal import Linux
internal import Media
internal import Synchronization

/// The keys of a running service: the keys of the database, read again twice a second.
///
/// While the database is unreadable, the keys stay as they were. If others have replaced the keys under a secret that
/// is unknown here, keys that were ended are no longer used.
public final class KeyRing: Sendable {
    private let held: HeldKeys
    private let isOver = Promise<Void>()
    private let thread: WorkerThread

    private static let pause: Duration = .milliseconds(500)

    /// Reads the keys, and makes the missing ones.
    ///
    /// - Parameter note: called when the keys become unreadable, and with `nil` when they are read again.
    /// - Throws: `SQLKeyStore.Trouble`; `SystemError` if no thread is available.
    public init(_ store: SQLKeyStore, note: @escaping @Sendable (SQLKeyStore.Trouble?) -> Void) throws {
        let held = HeldKeys(store, keys: try store.keys())
        let isOver = isOver
        self.held = held
        thread = try WorkerThread(name: "keys") {
            var isWell = true
            while isOver.wait(until: Time.monotonic + Self.pause) == nil {
                let trouble = held.refresh()
                if (trouble == nil) != isWell { note(trouble) }
                isWell = trouble == nil
            }
        }
    }

    /// The secrets behind cookies, refresh tokens, links and signed addresses.
    public var secrets: Secrets { held.secrets }

    /// The private keys of access tokens as PEM, the signing key first.
    public var signingKeys: @Sendable () -> [String] {
        let held = held
        return { held.signingKeys }
    }

    /// Why keys that others make may be unknown here; `nil` while keys are read.
    public var hindrance: String? { held.isStale ? "the service's keys cannot be read" : nil }

    /// Stops reading the keys.
    public func stop() {
        isOver.fulfil(())
        thread.join()
    }

    deinit { stop() }
}

/// The keys as last read. At most one thread reads them again.
private final class HeldKeys: Sendable {
    private struct State {
        let keys: [KeyPurpose: KeySuccession]
        let read: Duration
        // What requests use; chosen at each read, as keys come into use and expire.
        let secrets: [[UInt8]]
        let signingKeys: [String]
    }

    private let store: SQLKeyStore
    private let state: Mutex<State>
    /// Used if all keys have been ended: what they make is valid only in this process, which is not ready.
    private let ephemeral: [KeyPurpose: [UInt8]]

    init(_ store: SQLKeyStore, keys: [KeyPurpose: KeySuccession]) {
        self.store = store
        ephemeral = [.secret: [UInt8].random(count: 32), .tokens: Array(AccessTokens.makeKey().utf8)]
        state = Mutex(Self.state(keys, read: Time.monotonic, at: store.moment, else: ephemeral))
    }

    /// Reads the keys again.
    func refresh() -> SQLKeyStore.Trouble? {
        var (keys, read) = state.withLock { ($0.keys, $0.read) }
        var trouble: SQLKeyStore.Trouble?
        do throws(SQLKeyStore.Trouble) {
            (keys, read) = (try store.keys(), Time.monotonic)
        } catch {
            trouble = error
            if case .otherSecret = error, let ids = try? store.ids() {
                for purpose in KeyPurpose.allCases { keys[purpose]?.keys.removeAll { !ids.contains($0.id) } }
                read = .zero
            }
        }
        let next = Self.state(keys, read: read, at: store.moment, else: ephemeral)
        state.withLock { $0 = next }
        return trouble
    }

    private static func state(
        _ keys: [KeyPurpose: KeySuccession], read: Duration, at moment: Instant, else ephemeral: [KeyPurpose: [UInt8]]
    ) -> State {
        func inUse(_ purpose: KeyPurpose) -> [[UInt8]] {
            let found = keys[purpose]?.inUse(at: moment, lifetime: SQLKeyStore.lifetime(of: purpose)) ?? []
            return found.isEmpty ? [ephemeral[purpose]!] : found
        }
        return State(
            keys: keys, read: read, secrets: inUse(.secret),
            signingKeys: inUse(.tokens).map { String(decoding: $0, as: UTF8.self) })
    }

    var isStale: Bool { state.withLock { Time.monotonic - $0.read } > KeySuccession.notice }

    var signingKeys: [String] { state.withLock { $0.signingKeys } }

    var secrets: Secrets { Secrets { self.state.withLock { $0.secrets } } }
}

extension SQLKeyStore {
    /// The current secrets, for a short-lived program.
    public func secrets() throws(Trouble) -> Secrets { HeldKeys(self, keys: try keys()).secrets }
}
