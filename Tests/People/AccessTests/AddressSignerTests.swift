import Media
import People
import TestDeadline
import Testing

@Suite(.deadline) struct AddressSignerTests {
    private static let secret = [UInt8](repeating: 7, count: 32)
    private let signer = AddressSigner(Secrets(secret))
    private let claim = AddressSigner.Claim(
        owner: ID("0199f6a0-1111-7222-8333-444455556666")!, actor: ID("0199f6a0-2222-7222-8333-444455556666")!,
        epoch: 3, start: 1_899_996_400, end: 1_900_000_000)
    private let address = "/api/documents/0199f6a0-3333-7222-8333-444455556666/pages/2?width=800"

    @Test("A token says for whom and until when, for its own address alone")
    func claims() {
        let token = signer.token(claim, for: address)
        #expect(signer.claim(in: token, for: address) == claim)
        #expect(signer.claim(in: token, for: address + "0") == nil)
        #expect(signer.claim(in: token, for: String(address.dropLast())) == nil)
        #expect(AddressSigner(Secrets([UInt8](repeating: 8, count: 32))).claim(in: token, for: address) == nil)
    }

    @Test("A token with any digit changed, left out or added is not valid")
    func changed() {
        let token = Array(signer.token(claim, for: address))
        for place in token.indices {
            var other = token
            other[place] = other[place] == "0" ? "1" : "0"
            #expect(signer.claim(in: String(other), for: address) == nil, "\(place)")
        }
        #expect(signer.claim(in: String(token.dropLast()), for: address) == nil)
        #expect(signer.claim(in: String(token) + "0", for: address) == nil)
        #expect(signer.claim(in: "", for: address) == nil)
    }

    @Test("What an older secret has signed counts still")
    func rotation() {
        let token = signer.token(claim, for: address)
        let newer = AddressSigner(Secrets { [[UInt8](repeating: 9, count: 32), Self.secret] })
        #expect(newer.claim(in: token, for: address) == claim)
        #expect(newer.token(claim, for: address) != token)
    }
}
