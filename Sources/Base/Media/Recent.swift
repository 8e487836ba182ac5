/// A cache of recently stored or used values, bounded by their total cost.
///
/// There are two halves. Values enter the newer half. When it is full, the older half is evicted and the newer half
/// takes its place.
public struct Recent<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Half = [Key: (value: Value, cost: Int)]

    private let halfCost: Int
    private var newer: Half = [:]
    private var older: Half = [:]
    private var cost = 0

    /// - Parameter cost: the largest total cost of all values. If no value states a cost, this is their number.
    public init(cost: Int) { halfCost = max(1, cost / 2) }

    /// The value of a key, moved to the newer half.
    public mutating func value(for key: Key) -> Value? {
        if let known = newer[key] { return known.value }
        guard let known = older.removeValue(forKey: key) else { return nil }
        keep(known.value, for: key, cost: known.cost)
        return known.value
    }

    /// Stores a value in place of the key's former one. It is not stored if it costs more than half the bound.
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

    /// Evicts a key.
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

    /// Evicts all values.
    public mutating func removeAll() { (newer, older, cost) = ([:], [:], 0) }
}
