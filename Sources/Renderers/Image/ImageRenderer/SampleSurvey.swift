/// What there is among samples.
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

    /// Whether three quarters of what is not black are so: a sun, or what stands for no value, leaves the rest as it is.
    var isMostlyUpToOne: Bool { smallCount * 4 >= positiveCount * 3 }

    /// Whether there is more than white, more than resizing or some odd pixels make: only light goes beyond it.
    var hasHighlights: Bool { brightCount * 100 >= count }
}
