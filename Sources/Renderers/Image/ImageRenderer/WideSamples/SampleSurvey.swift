/// Statistics of samples.
struct SampleSurvey {
    private(set) var peak: Float = 0
    private(set) var lowest: Float = 0
    private var count = 0
    private var positiveCount = 0
    private var smallCount = 0
    private var brightCount = 0

    init(of samples: UnsafeBufferPointer<Float>, bandCount: Int, besides alphaBand: Int?) {
        for (index, sample) in samples.enumerated() where index % bandCount != alphaBand { add(sample) }
    }

    init(ofAlphaIn samples: UnsafeBufferPointer<Float>, bandCount: Int) {
        for index in stride(from: bandCount - 1, to: samples.count, by: bandCount) { add(samples[index]) }
    }

    private mutating func add(_ sample: Float) {
        peak = max(peak, sample)
        lowest = min(lowest, sample)
        count += 1
        if sample > 0 { positiveCount += 1 }
        if sample > 0, sample <= 1 { smallCount += 1 }
        if sample > 1.5 { brightCount += 1 }
    }

    /// Whether three quarters of the samples other than black are at most 1: a sun or a marker for missing values does
    /// not count.
    var isMostlyUpToOne: Bool { smallCount * 4 >= positiveCount * 3 }

    /// Whether one percent of the samples are well above white, by more than resizing causes: only linear light exceeds
    /// white.
    var hasHighlights: Bool { brightCount * 100 >= count }
}
