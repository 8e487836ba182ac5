internal import Glibc

/// A town on the map.
public struct Place: Hashable, Sendable {
    /// The name in English.
    public var name: String
    /// The country's code, optionally with a hyphen and the code of the state or province: `US-TX`, `DE` (ISO 3166).
    public var region: String
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double

    /// A town by its coordinates.
    public init(name: String, region: String, latitude: Double, longitude: Double) {
        self.name = name
        self.region = region
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Kilometres along the ground to another town, by the haversine formula on a sphere of the mean radius 6,371 km.
    public func kilometres(to other: Place) -> Double {
        let radians = Double.pi / 180
        let north = (other.latitude - latitude) * radians / 2
        let east = (other.longitude - longitude) * radians / 2
        let chord =
            sin(north) * sin(north)
            + cos(latitude * radians) * cos(other.latitude * radians) * sin(east) * sin(east)
        return 2 * 6_371 * asin(min(1, chord.squareRoot()))
    }
}
