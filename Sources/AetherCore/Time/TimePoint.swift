/// A point in a file as the command line names it: 90, 1:30, 1:02:03.5, -30 or 50%.
public enum TimePoint: Sendable, Equatable {
    /// A time from the start.
    case offset(TimeSpan)
    /// A fraction of the duration, 0 … 1.
    case fraction(Double)
    /// Before the end.
    case beforeEnd(TimeSpan)

    /// Parses; nil for anything but these forms.
    public init?(_ text: String) {
        if text.hasPrefix("-") {
            guard case .offset(let span) = TimePoint(String(text.dropFirst())) else { return nil }
            self = .beforeEnd(span)
            return
        }
        if text.hasSuffix("%") {
            guard let percent = TimePoint.decimal(text.dropLast()), percent <= 100 else { return nil }
            self = .fraction(percent / 100)
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last, let seconds = TimePoint.decimal(last) else { return nil }
        // With minutes in front, seconds stay below 60, and minutes with hours in front too: 1:90 is a slip, not 2:30.
        guard parts.count == 1 || seconds < 60 else { return nil }
        var total = seconds
        for (index, part) in parts.dropLast().reversed().enumerated() {
            guard !part.isEmpty, part.allSatisfy(\.isWholeASCIIDigit), let value = Double(part) else { return nil }
            guard index == parts.count - 2 || value < 60 else { return nil }
            total += value * (index == 0 ? 60 : 3600)
        }
        // A thousand years: far beyond any file, far within what a time span holds.
        guard total < 3.2e10 else { return nil }
        self = .offset(.seconds(total))
    }

    /// The point on the source axis; what is no offset needs the duration.
    public func time(start: MediaTime, duration: TimeSpan?) -> MediaTime? {
        switch self {
        case .offset(let span): start + span
        case .fraction(let fraction): duration.map { start + $0.scaled(by: fraction) }
        case .beforeEnd(let span): duration.map { start + max(.zero, $0 - span) }
        }
    }

    /// Digits with at most one point: no sign, no exponent, no "inf".
    private static func decimal(_ text: Substring) -> Double? {
        guard text.contains(where: \.isWholeASCIIDigit), text.allSatisfy({ $0.isWholeASCIIDigit || $0 == "." }) else {
            return nil
        }
        return Double(text)
    }
}

extension Character {
    fileprivate var isWholeASCIIDigit: Bool { ("0"..."9").contains(self) }
}
