import AetherCore
import AetherFormats

/// Channels where nothing is drawn: lines. Pure.
enum PlainChannels {
    /// Lines that a person has read aloud.
    private static let limit = 100

    /// The lines for an action; nil without channels.
    static func lines(_ action: PlayerAction, _ television: Television?) -> [String]? {
        television.map { action == .toggleGuide ? guide($0) : channels($0) }
    }

    /// The channels around the present one.
    static func channels(_ television: Television) -> [String] {
        let count = television.book.list.count
        let first = max(0, min((television.present ?? 0) - limit / 2, count - limit))
        let lines = (first..<min(count, first + limit)).map { channel in
            let onAir = television.nowNext(of: channel).now.map { ": " + $0.title } ?? ""
            let mark =
                channel == television.present
                ? translated(" (playing)") : television.isFavourite(channel) ? translated(" (favourite)") : ""
            return television.label(channel) + onAir + mark
        }
        return [translated("\(count) channels")] + lines
    }

    /// The programmes of the present channel from now on.
    static func guide(_ television: Television) -> [String] {
        guard let channel = television.present ?? television.last else { return [translated("No channel plays")] }
        let programmes = television.guide.programmes(of: channel).filter { $0.stop > television.unix }
        guard !programmes.isEmpty else { return [translated("The guide knows nothing of \(television.book.list.name(channel))")] }
        return [television.book.list.name(channel)]
            + programmes.prefix(limit).map { "\(television.timeOfDay($0.start)) \($0.title)" }
    }
}
