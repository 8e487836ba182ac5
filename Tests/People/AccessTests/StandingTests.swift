import Media
import People
import TestDeadline
import Testing

@Suite("Whether what was handed out still counts", .deadline)
struct StandingTests {
    private static let (owner, guardian) = (
        ID<Person>.make(at: Instant(microseconds: 1)), ID<Person>.make(at: Instant(microseconds: 2))
    )

    private static func handedOut(at second: Int64, epoch: Int64?, _ right: ActingRight) -> HandedOut {
        HandedOut(
            owner: owner, actor: guardian, issued: Instant(microseconds: second * 1_000_000 + 999_999), epoch: epoch,
            right: right)
    }

    @Test("It needs an enabled account, the right, the same epoch, and a guardianship that began before it")
    func counts() {
        func counts(_ second: Int64, _ epoch: Int64?, _ right: ActingRight, _ standing: Standing?) -> Bool {
            Self.handedOut(at: second, epoch: epoch, right).counts(with: standing)
        }
        let since = Instant(microseconds: 100_000_000)
        let standing = Standing(right: .manage, since: since, epoch: 3)
        #expect(counts(100, 3, .manage, standing) && counts(100, nil, .manage, standing))
        #expect(!counts(100, 3, .manage, nil))
        #expect(!counts(99, 3, .manage, standing) && !counts(99, nil, .view, standing))
        #expect(!counts(100, 2, .view, standing) && !counts(100, 4, .view, standing))
        let viewing = Standing(right: .view, since: since, epoch: 3)
        #expect(counts(100, 3, .view, viewing) && !counts(100, 3, .manage, viewing))
        #expect(counts(1, 0, .manage, Standing(right: .manage)))
    }
}
