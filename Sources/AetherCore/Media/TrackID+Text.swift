extension TrackID: LosslessStringConvertible {
    /// "container:2"; of a source beside the one that was opened "container:1/2".
    public var description: String {
        source == 0 ? "\(origin.rawValue):\(number)" : "\(origin.rawValue):\(source)/\(number)"
    }

    /// Reads a text that `description` makes; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let origin = Origin(rawValue: String(parts[0])) else { return nil }
        let numbers = parts[1].split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...2).contains(numbers.count), let number = numbers[numbers.count - 1], number >= 0, let first = numbers[0],
            first >= 0
        else { return nil }
        self.init(origin, number, source: numbers.count == 2 ? first : 0)
    }
}
