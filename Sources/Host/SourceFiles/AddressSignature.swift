/// The signature of a remote address: query parameters that differ from one address of the same content to the next.
package enum AddressSignature {
    /// The parameters of S3-compatible stores and of Google's, in version 4 of their signing.
    private static let fourth = Set(
        ["X-Amz-", "X-Goog-"].flatMap { prefix in
            ["Algorithm", "Credential", "Date", "Expires", "Security-Token", "Signature", "SignedHeaders"].map {
                prefix + $0
            }
        })
    /// The parameters of earlier versions, and of CloudFront.
    private static let earlier: Set = [
        "AWSAccessKeyId", "Expires", "GoogleAccessId", "Hash-Algorithm", "Key-Pair-Id", "Policy", "Signature",
        "x-amz-security-token",
    ]

    /// The address without the parameters that sign it. All others identify the content, and stay.
    package static func removed(from address: String) -> String {
        let place = address.prefix { $0 != "?" && $0 != "#" }
        let rest = address[place.endIndex...]
        guard rest.first == "?" else { return address }
        let parameters = rest.dropFirst().prefix { $0 != "#" }.split(separator: "&")
        let names = parameters.map { parameter in String(parameter.prefix { $0 != "=" }) }
        var signing: Set<String> = []
        if names.contains("X-Amz-Signature") || names.contains("X-Goog-Signature") { signing.formUnion(fourth) }
        if names.contains("Signature") { signing.formUnion(earlier) }
        if signing.isEmpty { return address }
        let kept = zip(names, parameters).filter { !signing.contains($0.0) }.map(\.1)
        return kept.isEmpty ? String(place) : "\(place)?\(kept.joined(separator: "&"))"
    }
}
