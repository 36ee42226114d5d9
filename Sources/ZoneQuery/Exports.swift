// Whoever imports ZoneQuery writes predicates, and so meets dialects, arguments and diagnostics: one import gives
// both modules.
@_exported public import PredicateSyntax
