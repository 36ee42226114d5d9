/// A place on the WGS 84 ellipsoid, in degrees.
///
/// Distance ignores everything but latitude and longitude. A location is checked where it enters the engine (a
/// saved record, an operand): latitude within ±90, longitude within ±180.
///
/// ```swift
/// Location(latitude: 37.783, longitude: -122.404)
/// ```
public struct Location: Sendable, Hashable {
  /// What a positioning device tells beside the place; kept and given back, never compared.
  public struct Details: Sendable, Hashable, Codable {
    /// Metres above the ellipsoid.
    public var altitude: Double?
    /// The radius of uncertainty, in metres.
    public var horizontalAccuracy: Double?
    /// The uncertainty of the altitude, in metres.
    public var verticalAccuracy: Double?
    /// Degrees clockwise from north.
    public var course: Double?
    /// Metres a second.
    public var speed: Double?
    /// When the place was determined.
    public var timestamp: Timestamp?

    /// Creates details of which none is known yet.
    public init() {}

    var isEmpty: Bool { self == Details() }
    var numbers: [Double?] { [altitude, horizontalAccuracy, verticalAccuracy, course, speed] }
  }

  private final class Box: Sendable {
    let details: Details
    init(_ details: Details) { self.details = details }
  }

  /// Degrees north of the equator, −90 to 90.
  public var latitude: Double
  /// Degrees east of Greenwich, −180 to 180.
  public var longitude: Double
  private var box: Box?

  /// Creates a place.
  public init(latitude: Double, longitude: Double, details: Details = Details()) {
    self.latitude = latitude
    self.longitude = longitude
    self.box = details.isEmpty ? nil : Box(details)
  }

  /// A place of which nothing else is known.
  init(plain latitude: Double, _ longitude: Double) {
    (self.latitude, self.longitude, box) = (latitude, longitude, nil)
  }

  /// What is known beside the place.
  public var details: Details {
    get { box?.details ?? Details() }
    set { box = newValue.isEmpty ? nil : Box(newValue) }
  }

  var hasDetails: Bool { box != nil }

  /// The length of the shortest way along the WGS 84 ellipsoid to another place, in metres, exact to a millimetre;
  /// NaN where a latitude is beyond a pole, or a number is not finite. Whole turns of a longitude are taken off; altitudes play
  /// no part.
  ///
  /// ```swift
  /// let suva = Location(latitude: -18.1348, longitude: 178.4232)
  /// suva.distance(to: Location(latitude: -16.6906, longitude: -179.877))   // 241169.146711…
  /// ```
  public func distance(to other: Location) -> Double {
    Geodesic.distance(
      latitude1: latitude, longitude1: longitude, latitude2: other.latitude, longitude2: other.longitude)
  }

  /// Whether place and details are the same.
  public static func == (left: Location, right: Location) -> Bool {
    left.latitude == right.latitude && left.longitude == right.longitude && left.details == right.details
  }

  /// Feeds latitude and longitude.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(latitude)
    hasher.combine(longitude)
  }

  /// Why the location cannot be taken, if it cannot.
  var fault: String? {
    if !(latitude >= -90 && latitude <= 90) { return "the latitude \(latitude) is not within -90 to 90" }
    if !(longitude >= -180 && longitude <= 180) { return "the longitude \(longitude) is not within -180 to 180" }
    if details.numbers.contains(where: { $0?.isFinite == false }) {
      return "altitude, accuracies, course and speed must be finite"
    }
    return nil
  }
}

extension Location {
  /// The degrees by which places are told apart: −180 is the meridian of 180, and of the longitudes at a pole 0 stands for all.
  static func distinct(latitude: Double, longitude: Double) -> (latitude: Double, longitude: Double) {
    (latitude, abs(latitude) == 90 ? 0 : longitude == -180 ? 180 : longitude)
  }
}

extension Location: PredicateArgument {
  /// The place.
  public var predicateArgument: ArgumentValue {
    if let fault { return .unsupported(fault) }
    return .literal(.location(latitude: latitude, longitude: longitude))
  }
}

extension Location: CustomStringConvertible {
  /// Latitude and longitude in degrees, without the details: `-18.1348,178.4232`.
  public var description: String { "\(latitude),\(longitude)" }
}
