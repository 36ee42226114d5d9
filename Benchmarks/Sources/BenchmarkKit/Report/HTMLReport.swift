struct HTMLReport { let report: Report; let baseline: Report?; init(_ r: Report, baseline: Report?) { report = r; self.baseline = baseline }; var text: String { "" } }
