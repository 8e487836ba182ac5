/// Values that were kept or used lately, up to a bound of their costs together.
///
/// There are two halves. Values go to the newer one. When it is full, the older one is forgotten and the newer one takes its place.
public struct Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Half = [Key: (value: Value, cost: Int)]

    private let halfCost: Int
    private var newer: Half = [:]
    private var older: Half = [:]
    private var cost = 0

    /// - Parameter cost: what all values may cost together. Where none states its cost, this is their number.
    public init(cost: Int) { halfCost = max(1, cost / 2) }

    /// The value of a key, which is then among the newer ones.
    public mutating func value(for key: Key) -> Value? {
        if let known = newer[key] { return known.value }
        guard let known = older.removeValue(forKey: key) else { return nil }
        keep(known.value, for: key, cost: known.cost)
        return known.value
    }

    /// Keeps a value in place of the key's former one. One that costs more than half of all may is not kept.
    public mutating func keep(_ value: Value, for key: Key, cost: Int = 1) {
        removeValue(for: key)
        guard cost <= halfCost else { return }
        if self.cost + cost > halfCost {
            older = newer
            newer = [:]
            self.cost = 0
        }
        newer[key] = (value, cost)
        self.cost += cost
    }

    /// Forgets a key.
    ///
    /// - Returns: its value.
    @discardableResult
    public mutating func removeValue(for key: Key) -> Value? {
        if let known = newer.removeValue(forKey: key) {
            cost -= known.cost
            return known.value
        }
        return older.removeValue(forKey: key)?.value
    }

    /// Forgets all.
    public mutating func removeAll() { (newer, older, cost) = ([:], [:], 0) }
}
