import Media

/// The findings over all files.
struct CallTally {
    private var findings = 0
    private var jobs = 0
    /// How many files had each refused call, by class and name.
    private var refused: [String: Int] = [:]

    var isClean: Bool { findings == 0 && jobs > 0 }

    mutating func add(_ record: CallRecord) {
        jobs += 1
        findings += record.findings.count
        for finding in record.findings { Swift.print("\(record.rendererClass.name)\t\(record.path)\t\(finding)") }
        if record.isLate {
            Swift.print("\(record.rendererClass.name)\t\(record.path)\tended at its deadline, no record")
        }
        for call in record.refused { refused["\(record.rendererClass.name) \(call)", default: 0] += 1 }
    }

    func print(fileCount: Int) {
        for (call, count) in refused.sorted(by: { $0.key < $1.key }) {
            Swift.print("refused as listed\t\(call)\tin \(count) files")
        }
        Swift.print("\(fileCount) files, \(jobs) jobs, \(findings) findings")
    }
}
