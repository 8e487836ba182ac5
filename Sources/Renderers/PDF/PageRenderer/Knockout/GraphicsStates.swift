internal import Media

/// The graphics states that a form's content may set, as far as they tell how it is composed (ISO 32000-1, 8.4.5).
struct GraphicsStates {
    /// What a state sets; what is `nil` it leaves as it is.
    struct Setting {
        var alpha: Double?
        var isBlending: Bool?
        var isMasked: Bool?
    }

    /// By their names.
    private(set) var settings: [String: Setting] = [:]
    /// The same without blend modes.
    let withoutModes: PDFPiece

    private static let most = 64

    /// `nil` where there are none, or too many.
    init?(_ resources: PDFDictionary, _ objects: inout PDFObjects) throws(Failure) {
        guard let named = try objects.resolved(resources["/ExtGState"])?.dictionary, named.entries.count <= Self.most
        else { return nil }
        var states = named
        for entry in named.entries {
            guard let name = entry.key.name, var state = try objects.resolved(entry.value)?.dictionary else { continue }
            var setting = Setting()
            setting.alpha = try objects.resolved(state["/ca"])?.number
            setting.isMasked = try objects.resolved(state["/SMask"]).map { $0.name == nil }
            if let mode = try objects.resolved(state["/BM"]) {
                setting.isBlending = mode.blendMode != nil
                state["/BM"] = nil
                states[name] = state.piece
            }
            settings[name] = setting
        }
        withoutModes = states.piece
    }

    /// Whether one sets a blend mode, `Normal` too.
    var areNamingModes: Bool { settings.values.contains { $0.isBlending != nil } }

    /// Whether one sets another mode than `Normal`.
    var areBlending: Bool { settings.values.contains { $0.isBlending == true } }
}

extension PDFPiece {
    /// The blend mode that an entry `/BM` names; of a list the first, which is wanted most (table 58). `nil` for `Normal`.
    var blendMode: String? {
        let mode = name ?? elements?.first?.name
        return mode == "/Normal" || mode == "/Compatible" ? nil : mode
    }
}
