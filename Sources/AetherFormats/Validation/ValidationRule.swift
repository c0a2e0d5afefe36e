public import AetherCore

/// A rule of HTTP Live Streaming (RFC 8216bis) or of CMAF (ISO/IEC 23000-19) that a checker looks after.
public enum ValidationRule: String, Sendable, CaseIterable {
    // Grammar of playlists.
    case unreadable, wrongPlaylistTags, versionRepeated, versionTooLow, targetDurationMissing, targetDurationExceeded
    case sequenceBehindSegments, extinfMissing, endMissing, dateRangeIncomplete, dateGoesBack
    // Lists of variants.
    case bandwidthMissing, codecsMissing, resolutionMissing, groupUnknown, nameRepeated, defaultRepeated
    // Across variants.
    case variantsUnaligned, targetDurationsDiffer, discontinuitiesDiffer
    // Media.
    case segmentMissing, mediaUnreadable, durationUntrue, keyFrameMissing, timestampsJump, codecsUntrue, resolutionUntrue
    case bandwidthExceeded, averageExceeded, initMissing, cueOutside, cueClockMissing
    // Broadcasts.
    case listStale, sequenceGoesBack, segmentChanged

    /// How bad a breach is.
    public enum Severity: String, Sendable, Comparable {
        /// Worth knowing.
        case note
        /// Against a recommendation: some players will have trouble.
        case warning
        /// Against a requirement.
        case error

        /// A note is less than a warning, and that less than an error.
        public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
        /// The word before a finding, in the language of the person.
        var words: String {
            switch self {
            case .note: translated("note", context: "validation")
            case .warning: translated("warning", context: "validation")
            case .error: translated("error", context: "validation")
            }
        }

        private var rank: Int { self == .note ? 0 : self == .warning ? 1 : 2 }
    }

    /// The name in reports: "target-duration-exceeded".
    public var name: String {
        rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }

    /// How bad a breach is.
    public var severity: Severity {
        switch self {
        case .codecsMissing, .resolutionMissing, .targetDurationsDiffer, .keyFrameMissing, .averageExceeded, .cueOutside,
            .dateGoesBack,
            .cueClockMissing, .listStale:
            .warning
        default: .error
        }
    }

    /// The paragraph of RFC 8216bis, or of another specification that it names.
    public var paragraph: String {
        switch self {
        case .unreadable: "4.1"
        case .wrongPlaylistTags: "4.1"
        case .versionRepeated: "4.4.1.2"
        case .versionTooLow: "8"
        case .targetDurationMissing, .targetDurationExceeded: "4.4.3.1"
        case .sequenceBehindSegments: "4.4.3.2"
        case .extinfMissing: "4.4.4.1"
        case .endMissing: "4.4.3.5"
        case .dateRangeIncomplete: "4.4.5.1"
        case .dateGoesBack: "4.4.4.6"
        case .bandwidthMissing, .codecsMissing, .resolutionMissing, .bandwidthExceeded, .averageExceeded, .codecsUntrue,
            .resolutionUntrue:
            "4.4.6.2"
        case .groupUnknown: "4.4.6.2"
        case .nameRepeated, .defaultRepeated: "4.4.6.1.1"
        case .variantsUnaligned, .targetDurationsDiffer, .discontinuitiesDiffer: "6.2.4"
        case .segmentMissing: "6.2.1"
        case .mediaUnreadable: "3"
        case .initMissing: "3.1.2"
        case .durationUntrue: "4.4.4.1"
        case .keyFrameMissing: "3, CMAF 7.3.2.3"
        case .timestampsJump: "4.4.4.3, CMAF 7.3.2.2"
        case .cueOutside, .cueClockMissing: "3.1.4"
        case .listStale, .sequenceGoesBack, .segmentChanged: "6.2.2"
        }
    }
}

/// A breach of a rule.
public struct ValidationFinding: Sendable, Equatable {
    /// The rule.
    public let rule: ValidationRule
    /// The document or segment, safe to display and without tokens.
    public let subject: String
    /// The line of the document, from 1; nil for none.
    public let line: Int?
    /// The breach in words, without a full stop; safe to display.
    public let detail: String

    /// A breach.
    public init(_ rule: ValidationRule, _ subject: String, line: Int? = nil, _ detail: String) {
        (self.rule, self.line) = (rule, line)
        self.subject = DisplayText.singleLine(Redaction.shown(subject), limit: 200)
        self.detail = DisplayText.singleLine(Redaction.text(detail), limit: 300)
    }
}

/// The findings of a check, for people and for programs. For each rule and document, the first findings are listed.
public struct ValidationReport: Sendable {
    /// The findings in the order in which they were found.
    public private(set) var findings: [ValidationFinding] = []
    private var counts: [String: Int] = [:]
    private static let limit = 20

    /// Nothing was found.
    public init() {}

    /// Takes in a finding; the 21st of a rule in a document is left out.
    public mutating func take(_ finding: ValidationFinding) {
        counts["\(finding.rule.rawValue) \(finding.subject)", default: 0] += 1
        guard counts["\(finding.rule.rawValue) \(finding.subject)", default: 0] <= Self.limit, findings.count < 100_000 else {
            return
        }
        findings.append(finding)
    }

    /// The worst; nil for none.
    public var severity: ValidationRule.Severity? { findings.map(\.rule.severity).max() }

    /// A line for each finding, and a sum.
    public var text: String {
        let lines = findings.map { finding in
            let place = finding.line.map { ":\($0)" } ?? ""
            return
                "\(finding.rule.severity.words): \(finding.subject)\(place): \(finding.detail) [\(finding.rule.name), \(finding.rule.paragraph)]"
        }
        let errors = findings.count { $0.rule.severity == .error }, warnings = findings.count { $0.rule.severity == .warning }
        let sums = [
            translated(one: "\(errors) error", other: "\(errors) errors", count: errors),
            translated(one: "\(warnings) warning", other: "\(warnings) warnings", count: warnings),
        ]
        return (lines + [sums.joined(separator: ", ")]).joined(separator: "\n")
    }

    /// An object with the list of findings, and the worst of them.
    public var json: JSON {
        .object([
            ("severity", JSON(severity?.rawValue)),
            (
                "findings",
                .array(
                    findings.map { finding in
                        .object([
                            ("rule", .string(finding.rule.name)), ("severity", .string(finding.rule.severity.rawValue)),
                            ("paragraph", .string(finding.rule.paragraph)), ("subject", .string(finding.subject)),
                            ("line", JSON(finding.line.map { Int64($0) })), ("detail", .string(finding.detail)),
                        ])
                    })
            ),
        ])
    }
}
