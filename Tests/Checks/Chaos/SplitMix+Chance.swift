import TestSupport

extension SplitMix {
    mutating func shows(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
