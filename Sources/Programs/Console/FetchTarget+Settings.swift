internal import Media
package import Wire

extension FetchTarget {
    /// Content at an address, reached and bounded as the settings say.
    package init(_ address: String, _ settings: Settings) {
        self.init(
            address, storeEndpoint: settings.storeEndpoint, allowsPrivateAddresses: settings.allowsPrivateAddresses,
            maxByteCount: Int64(clamping: settings.worker.maxSourceByteCount))
    }
}
