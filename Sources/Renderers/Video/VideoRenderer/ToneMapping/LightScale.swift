/// The scale of lookup tables over light of 0...1, uniform in the square root, which roughly matches how the eye sees
/// light.
enum LightScale {
    static let stepCount = 4096

    /// The index of a light; lights outside 0...1 are clamped.
    static func index(_ light: Float) -> Int {
        Int(min(max(light, 0), 1).squareRoot() * Float(stepCount - 1) + 0.5)
    }

    /// The light at an index.
    static func light(at index: Int) -> Double {
        let root = Double(index) / Double(stepCount - 1)
        return root * root
    }

    /// A table of a function's values.
    static func table<Value>(_ value: (Double) -> Value) -> [Value] { (0..<stepCount).map { value(light(at: $0)) } }

    /// The 8-bit signals of sRGB.
    static let signals: [UInt8] = table { UInt8((TransferCurve.srgbSignal($0) * 255).rounded()) }
}
