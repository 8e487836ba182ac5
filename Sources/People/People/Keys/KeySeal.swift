internal import CSodium
internal import Media

/// The secret under which keys are sealed in the database, so that nobody who reads the database or a backup has a key.
///
/// A sealed key is a random nonce with the ciphertext and its tag, by XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha). The
/// purpose is authenticated with it: a row of one purpose is not valid for another.
public struct KeySeal: Sendable {
    private let secret: [UInt8]

    /// The secret that a text of 64 hexadecimal digits holds; `nil` for any other text.
    public init?(_ text: String) {
        guard let secret = Hex.bytes(Array(text.utf8)), secret.count == Self.byteCount else { return nil }
        self.secret = secret
    }

    /// A new secret, in 64 hexadecimal digits.
    public static func makeText() -> String { Hex.string([UInt8].random(count: byteCount)) }

    private static let byteCount = 32
    private static let nonceByteCount = 24
    private static let tagByteCount = 16

    /// A key in the form that the database stores.
    func seal(_ key: [UInt8], for purpose: KeyPurpose) -> String {
        let nonce = [UInt8].random(count: Self.nonceByteCount)
        let context = Array(purpose.rawValue.utf8)
        var sealed = [UInt8](repeating: 0, count: key.count + Self.tagByteCount)
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, nil, key, UInt64(key.count), context, UInt64(context.count), nil, nonce, secret)
        return Hex.string(nonce + sealed)
    }

    /// The key that was sealed; `nil` if it was sealed under another secret, or has been modified.
    func open(_ text: String, for purpose: KeyPurpose) -> [UInt8]? {
        guard let bytes = Hex.bytes(Array(text.utf8)), bytes.count >= Self.nonceByteCount + Self.tagByteCount else {
            return nil
        }
        let (nonce, sealed) = (Array(bytes.prefix(Self.nonceByteCount)), Array(bytes.dropFirst(Self.nonceByteCount)))
        let context = Array(purpose.rawValue.utf8)
        var key = [UInt8](repeating: 0, count: sealed.count - Self.tagByteCount)
        let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &key, nil, nil, sealed, UInt64(sealed.count), context, UInt64(context.count), nonce, secret)
        return result == 0 ? key : nil
    }
}
