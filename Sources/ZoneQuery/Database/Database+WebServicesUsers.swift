extension Database {
  /// Answers a `users/caller` request of CloudKit Web Services, which has no body, with the JSON of the response: who asks.
  ///
  /// ```swift
  /// try database.acting(as: "_alice").webServicesResponseToCaller()   // {"users":[{"userRecordName":"_alice"}]}
  /// ```
  ///
  /// The user's dictionary has the record name alone: names of people a database does not have.
  public func webServicesResponseToCaller() -> String {
    var response = WebServicesResponse()
    response.write(users: [user.recordName])
    return response.text()
  }

  /// Answers a `users/current` request of CloudKit Web Services, which has no body, with the JSON of the response: who asks,
  /// as `users/caller` has it since.
  ///
  /// ```swift
  /// try database.acting(as: "_alice").webServicesResponseToCurrentUser()   // {"userRecordName":"_alice"}
  /// ```
  public func webServicesResponseToCurrentUser() -> String {
    var response = WebServicesResponse()
    response.write(user: user.recordName)
    return response.text()
  }
}
