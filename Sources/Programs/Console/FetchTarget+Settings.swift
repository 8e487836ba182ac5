internal import Media
package import Wire

extension FetchTarget {
    /// Content at an address; the settings determine how it is reached, and its largest size.
    package init(_ address: String, _ settings: Settings) {
        self.init(
            address, storeEndpoint: settings.storeEndpoint, allowsPrivateAddresses: settings.allowsPrivateAddresses,
            maxByteCount: Int64(clamping: settings.worker.maxSourceByteCount))
    }
}
