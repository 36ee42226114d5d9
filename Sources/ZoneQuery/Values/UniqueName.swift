internal import FoundationEssentials

/// A name that nothing else has: a fresh random UUID.
func uniqueName() -> String { UUID().uuidString }
