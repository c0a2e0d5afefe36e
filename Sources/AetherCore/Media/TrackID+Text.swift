extension TrackID: LosslessStringConvertible {
    /// "container:2".
    public var description: String { "\(origin.rawValue):\(number)" }

    /// Reads what `description` says; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let origin = Origin(rawValue: String(parts[0])), let number = Int(parts[1]), number >= 0 else {
            return nil
        }
        self.init(origin, number)
    }
}
