import TestDeadline
import Testing
import VideoRenderer

@Suite("Times of a stream", .deadline)
struct StreamTimeTests {
    private let last = StreamTime(.max)!
    private let first = StreamTime(.min + 1)!

    @Test("FFmpeg's “no timestamp” is no time, and no sum reaches it")
    func noTime() {
        #expect(StreamTime(.min) == nil)
        #expect(StreamTime(clamping: -.infinity) == first)
        #expect(first - last == first)
    }

    @Test("Sums and differences saturate")
    func ends() {
        let (one, minusOne) = (StreamTime(1)!, StreamTime(-1)!)
        #expect(last + one == last && last - minusOne == last)
        #expect(first + minusOne == first && first - one == first)
        #expect(last - one == StreamTime(.max - 1) && first + one == StreamTime(.min + 2))
        #expect(StreamTime.zero - first == last && first + last == .zero)
    }

    @Test("Seconds beyond 64 bits saturate", arguments: [1e300, .infinity, 0x1p63])
    func tooManySeconds(seconds: Double) {
        #expect(TimeBase(1, over: 1).time(ofSeconds: seconds) == last)
        #expect(TimeBase(1, over: .max).time(ofSeconds: -seconds) == first)
        #expect(TimeBase(1, over: 1).time(ofSeconds: .nan) == .zero)
    }

    @Test("Seconds become whole units")
    func units() {
        #expect(TimeBase(1, over: 30).time(ofSeconds: 0.3) == StreamTime(9))
        #expect(TimeBase(1, over: 1000).time(ofSeconds: 1.9999) == StreamTime(1999))
        #expect(TimeBase(1, over: 1000).seconds(StreamTime(1500)!) == 1.5)
    }

    @Test("An invalid time base gives finite seconds", arguments: [0, -1, .min, .max] as [Int32])
    func badBases(number: Int32) {
        for base in [TimeBase(number, over: 1), TimeBase(1, over: number), TimeBase(number, over: number)] {
            #expect(base.seconds(last).isFinite && base.seconds(first).isFinite)
            #expect(base.time(ofSeconds: 1e18) <= last)
        }
    }
}
