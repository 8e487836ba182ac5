import Media
import TestDeadline
import Testing

@Suite(.deadline) struct RecentTests {
    @Test("What was used lately stays, within the bound")
    func use() {
        var recent = Recent<Int, Int>(cost: 8)
        for key in 0..<100 {
            recent.keep(key * 2, for: key)
            #expect(recent.value(for: 0) == 0, "it is used each time")
            #expect(recent.value(for: key) == key * 2)
        }
        let known = (0..<100).filter { key in recent.removeValue(for: key) != nil }
        #expect(known.count <= 8 && known.contains(99) && known.contains(0))
    }

    @Test("Values count by their costs, and a large one is not kept")
    func costs() {
        var recent = Recent<String, Int>(cost: 20)
        recent.keep(1, for: "a", cost: 10)
        recent.keep(2, for: "b", cost: 10)
        #expect(recent.value(for: "b") == 2)
        recent.keep(3, for: "c", cost: 11)
        #expect(recent.value(for: "c") == nil)
        recent.keep(4, for: "d", cost: 10)
        #expect(recent.value(for: "a") == nil)
        #expect(recent.value(for: "d") == 4)
    }

    @Test("A value is replaced, and a key and all are forgotten")
    func forgetting() {
        var recent = Recent<Int, Int>(cost: 4)
        recent.keep(1, for: 1)
        recent.keep(2, for: 1)
        #expect(recent.removeValue(for: 1) == 2)
        #expect(recent.value(for: 1) == nil)
        recent.keep(1, for: 1)
        recent.keep(1, for: 1, cost: 100)
        #expect(recent.value(for: 1) == nil, "a former value must not stay in place of a newer one")
        recent.keep(3, for: 3)
        recent.removeAll()
        #expect(recent.value(for: 3) == nil)
    }
}
