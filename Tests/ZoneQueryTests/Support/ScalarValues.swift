extension [UInt8] {
  /// The scalars of valid UTF-8.
  var scalarValues: [UInt32] { String(decoding: self, as: UTF8.self).unicodeScalars.map(\.value) }
}
