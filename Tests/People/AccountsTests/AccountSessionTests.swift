import Media
import People
import TestDeadline
import Testing

@Suite(.deadline) struct AccountSessionTests {
    private static let start = Instant(microseconds: 1_700_000_000_000_000)

    /// Uses tokens in turn: each is a number, and seconds from the start.
    private func use(_ tokens: [(number: Int64, second: Int)]) -> (works: [Bool], newest: Int64) {
        var session = AccountSession(of: .make(at: Self.start), at: Self.start)
        let works = tokens.map { session.use(token: $0.number, at: Self.start + .seconds($0.second)) }
        return (works, session.token)
    }

    @Test func aReplacedTokenGivesItsUnusedSuccessorHoweverLate() {
        let result = use([(0, 0), (0, 100_000)])
        #expect(result.works == [true, true])
        #expect(result.newest == 1)
    }

    @Test(arguments: [(5, true), (9, true), (10, false), (60, false)])
    func aTokenWhoseSuccessorIsUsedWorksForTenSeconds(second: Int, works: Bool) {
        let result = use([(0, 0), (1, 2), (0, second)])
        #expect(result.works == [true, true, works])
        #expect(result.newest == 2)
    }

    @Test(arguments: [-1, 0, 1, 2, 6, .max] as [Int64])
    func tokensThatWereNeverGivenOrAreOlderAreRefused(number: Int64) {
        let result = use([(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (number, 5)])
        #expect(result.works == [true, true, true, true, true, false])
    }

    @Test(arguments: [-2, -1, 1] as [Int64])
    func aNewSessionKnowsItsFirstTokenAlone(number: Int64) {
        #expect(use([(number, 0)]).works == [false])
    }

    @Test func aBrowsersSessionEndsFourteenDaysAfterItsLastUseAndNinetyDaysAfterItsFirst() {
        let day = Duration.seconds(86_400)
        var session = AccountSession(of: .make(at: Self.start), at: Self.start, inBrowser: true)
        #expect(!session.isOver(at: Self.start + day * 13))
        #expect(session.isOver(at: Self.start + day * 14))
        for number in 1...8 { _ = session.use(token: session.token, at: Self.start + day * (10 * number)) }
        #expect(!session.isOver(at: Self.start + day * 89))
        #expect(session.isOver(at: Self.start + day * 90))
    }

    @Test func aSessionOfTokensEndsAfterNinetyDaysWithoutUseAndAfterAYear() {
        var session = AccountSession(of: .make(at: Self.start), at: Self.start)
        let day = Duration.seconds(86_400)
        #expect(session.end == nil)
        #expect(!session.isOver(at: Self.start + day * 89) && session.isOver(at: Self.start + day * 90))
        for number in 1...4 {
            let isUsed = session.use(token: session.token, at: Self.start + day * (89 * number))
            #expect(isUsed)
        }
        #expect(!session.isOver(at: Self.start + day * 364) && session.isOver(at: Self.start + day * 365))
    }

    @Test func theNewestTokenWorksAndTheOneBeforeWhoseAnswerMayBeLost() {
        var session = AccountSession(of: .make(at: Self.start), at: Self.start, inBrowser: true)
        #expect(session.accepts(token: 0) && !session.accepts(token: -1) && !session.accepts(token: 1))
        for _ in 0..<3 { _ = session.use(token: session.token, at: Self.start) }
        #expect([0, 1, 2, 3, 4].filter { session.accepts(token: $0) } == [2, 3])
    }
}
