/// The steps of tables over light of 0...1: even in its square root, as eyes roughly see it.
enum LightScale {
    static let stepCount = 4096

    static func index(_ light: Float) -> Int {
        Int(min(max(light, 0), 1).squareRoot() * Float(stepCount - 1) + 0.5)
    }

    static func light(at index: Int) -> Double {
        let root = Double(index) / Double(stepCount - 1)
        return root * root
    }

    static func table<Value>(_ value: (Double) -> Value) -> [Value] { (0..<stepCount).map { value(light(at: $0)) } }

    /// sRGB's signals of 8 bits.
    static let signals: [UInt8] = table { UInt8((TransferCurve.srgbSignal($0) * 255).rounded()) }
}
