public import Media

extension Profile {
    /// Months in positions; overlapping time counts once.
    ///
    /// A year without a month counts as the whole year at both ends, but at most until now.
    ///
    /// - Parameter now: the month that "present" means.
    public func monthsOfExperience(at now: PartialDate) -> Int {
        Self.months(of: work, at: now)
    }

    /// Full years in positions, rounded to the nearest.
    public func yearsOfExperience(at now: PartialDate) -> Int { (monthsOfExperience(at: now) + 6) / 12 }

    /// Months of some positions, overlaps counted once.
    static func months(of work: some Sequence<Work>, at now: PartialDate) -> Int {
        let spans = work.compactMap { $0.months(at: now) }.sorted { $0.lowerBound < $1.lowerBound }
        var total = 0
        var end = Int.min
        for span in spans {
            total += max(0, span.upperBound - max(span.lowerBound, end))
            end = max(end, span.upperBound)
        }
        return total
    }

    /// Months in the positions that some test accepts, overlaps counted once.
    public func months(at now: PartialDate, where accepts: (Work) -> Bool) -> Int {
        Self.months(of: work.filter(accepts), at: now)
    }
}

extension Profile.Work {
    /// The months from the first to after the last; empty for a future position, and `nil` without a start.
    func months(at now: PartialDate) -> Range<Int>? {
        guard let start = startDate?.value else { return nil }
        let first = start.firstMonth
        let last = isCurrent ? now.lastMonth : endDate?.value.lastMonth ?? first
        guard first <= now.lastMonth else { return first..<first }
        return first..<max(first, min(last, now.lastMonth)) + 1
    }
}
