internal import CVips
internal import Media

/// An operation of libvips with its arguments.
struct VipsOperation {
    private let name: String
    private var arguments: [(name: String, value: Value)] = []

    enum Value {
        case picture(VipsPicture)
        case source(SourceStream)
        case integer(Int)
        case number(Double)
        case numbers([Double])
        case flag(Bool)
        case text(String)
    }

    init(_ name: String, on picture: VipsPicture? = nil) {
        self.name = name
        if let picture { arguments.append(("in", .picture(picture))) }
    }

    func with(_ name: String, _ value: Value) -> VipsOperation {
        var copy = self
        copy.arguments.append((name, value))
        return copy
    }

    /// Runs the operation. Most operations only set up the pixels, which are computed when they are read.
    ///
    /// - Throws: `corrupt` with libvips' message, `tooLarge` if memory ran out.
    func output() throws(Failure) -> VipsPicture {
        guard let built = build() else { throw VipsError.failure(in: name) }
        defer {
            vips_object_unref_outputs(UnsafeMutableRawPointer(built).assumingMemoryBound(to: VipsObject.self))
            g_object_unref(built)
        }
        var value = GValue()
        g_value_init(&value, vips_image_get_type())
        defer { g_value_unset(&value) }
        g_object_get_property(cvips_object(built), "out", &value)
        guard let image = g_value_dup_object(&value) else { throw VipsError.failure(in: name) }
        return VipsPicture(owning: image.assumingMemoryBound(to: VipsImage.self))
    }

    /// The operation after it has run, owned by the caller; `nil` if libvips refused it.
    private func build() -> UnsafeMutablePointer<VipsOperationObject>? {
        var operation = vips_operation_new(name)
        guard let object = operation.map({ cvips_object($0)! }) else { return nil }
        for argument in arguments { Self.set(argument.name, to: argument.value, on: object) }
        // This call also checks that the operation is not blocked; the cache holds nothing.
        if vips_cache_operation_buildp(&operation) != 0 {
            g_object_unref(object)
            return nil
        }
        return operation
    }

    private static func set(_ name: String, to value: Value, on object: UnsafeMutablePointer<GObject>) {
        var property = GValue()
        defer { g_value_unset(&property) }
        switch value {
        case .picture(let picture):
            g_value_init(&property, cvips_type_object())
            g_value_set_object(&property, picture.pointer)
        case .source(let stream):
            g_value_init(&property, cvips_type_object())
            g_value_set_object(&property, stream.pointer)
        case .integer(let integer):
            // GLib converts an integer to the property's enumeration.
            g_value_init(&property, cvips_type_int())
            g_value_set_int(&property, Int32(clamping: integer))
        case .number(let number):
            g_value_init(&property, cvips_type_double())
            g_value_set_double(&property, number)
        case .numbers(let numbers):
            g_value_init(&property, vips_array_double_get_type())
            vips_value_set_array_double(&property, numbers, Int32(numbers.count))
        case .flag(let flag):
            g_value_init(&property, cvips_type_boolean())
            g_value_set_boolean(&property, flag ? 1 : 0)
        case .text(let text):
            g_value_init(&property, cvips_type_string())
            g_value_set_string(&property, text)
        }
        g_object_set_property(object, name, &property)
    }
}

/// libvips' own type of this name.
private typealias VipsOperationObject = CVips.VipsOperation
