internal import Formats
internal import Media

/// The graphics state parameter dictionaries that a form's content may name (ISO 32000-1, 8.4.5), as far as they affect
/// compositing.
struct GraphicsStates {
    /// The parameters that one dictionary sets; `nil` leaves a parameter unchanged.
    struct Parameters {
        /// The constant alpha for filling.
        var alpha: Double?
        /// Whether the blend mode is not `Normal`.
        var isBlending: Bool?
        /// Whether there is a soft mask.
        var isMasked: Bool?
    }

    /// The parameters by the dictionaries' names in `/ExtGState`.
    private(set) var parameters: [String: Parameters] = [:]
    /// The value of `/ExtGState` without blend modes.
    let withoutBlendModes: PDFObject

    private static let maximumCount = 64

    /// `nil` if the resources name none, or too many.
    init?(_ resources: PDFDictionary, _ objects: inout IndirectObjects) throws(Failure) {
        guard let named = try objects.resolved(resources["/ExtGState"])?.dictionary,
            named.entries.count <= Self.maximumCount
        else { return nil }
        var states = named
        for entry in named.entries {
            guard let name = entry.key.name, var state = try objects.resolved(entry.value)?.dictionary else { continue }
            var set = Parameters()
            set.alpha = try objects.resolved(state["/ca"])?.number
            set.isMasked = try objects.resolved(state["/SMask"]).map { $0.name == nil }
            if let mode = try objects.resolved(state["/BM"]) {
                set.isBlending = mode.blendMode != nil
                state["/BM"] = nil
                states[name] = PDFObject(state)
            }
            parameters[name] = set
        }
        withoutBlendModes = PDFObject(states)
    }

    /// Whether a dictionary names a blend mode, `Normal` included.
    var nameBlendModes: Bool { parameters.values.contains { $0.isBlending != nil } }

    /// Whether a dictionary names a blend mode other than `Normal`.
    var areBlending: Bool { parameters.values.contains { $0.isBlending == true } }
}

extension PDFObject {
    /// The blend mode that a value of `/BM` names; for an array, its first and preferred mode (table 58); `nil` for
    /// `Normal`.
    var blendMode: String? {
        let mode = name ?? elements?.first?.name
        return mode == "/Normal" || mode == "/Compatible" ? nil : mode
    }
}
