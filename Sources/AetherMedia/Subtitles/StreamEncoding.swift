/// The character set of a stream's texts where they are not in UTF-8: guessed at all of them that came so far, until there are enough, so
/// that a few words at the beginning decide nothing for good. A value.
public struct StreamEncoding: Sendable {
    private let language: String?
    private var sample: [UInt8] = []
    private var tally = (letters: 0, broken: 0)
    private var name: String?
    /// Whether another guess is not to be made.
    public private(set) var isSettled = false
    /// Bytes of foreign letters after which a guess stays: some fifty lines.
    static let settledCount = 2000
    private static let sampleLimit = 64 << 10

    /// Whether letters have come that are not in UTF-8.
    public var isGuessing: Bool { tally.broken > 0 && !isSettled }

    /// The encoding of a stream with a stated language.
    public init(language: String? = nil) { self.language = language }

    /// A text as UTF-8, nil where it is to be taken as it is; and whether texts before it would now be read otherwise.
    public mutating func read(_ text: [UInt8]) -> (text: [UInt8]?, isChanged: Bool) {
        let found = text.withUnsafeBufferPointer { SubtitleBytes.tally($0) }
        guard found.broken > 0 || name != nil && found.letters > 0 else {
            if !isSettled { tally.letters += found.letters }
            return (nil, false)
        }
        let before = name
        if !isSettled {
            tally = (tally.letters + found.letters, tally.broken + found.broken)
            if sample.count < Self.sampleLimit { sample += text.prefix(4096) + [0x0A] }
            // One byte that was hurt is no other character set.
            name = tally.broken > tally.letters ? TextEncoding.legacy(sample, language: language) : nil
            isSettled = tally.broken + tally.letters >= Self.settledCount || sample.count >= Self.sampleLimit
            if isSettled { sample = [] }
        }
        return (self.text(of: text), name != before)
    }

    /// A text as UTF-8 by the present guess, which it does not change; nil where it is to be taken as it is.
    public func text(of text: [UInt8]) -> [UInt8]? {
        guard let name, text.contains(where: { $0 >= 0x80 }) else { return nil }
        return TextEncoding.utf8(text, encoding: name)
    }
}
