import AetherCore

/// The turns of a source's playing that were told already, so that each is told once.
struct ToldTurns: Sendable {
    var hasBegun = false
    var isOver = false

    /// The news of a phase; nil: none. `breakOff` is why a part is missing.
    mutating func turn(_ phase: PlaybackPhase, breakOff: MediaError?, hasOutput: Bool) -> PlaybackNews.Turn? {
        switch phase {
        case .playing where !hasBegun:
            hasBegun = true
            return .began
        case .ended where !isOver:
            isOver = true
            return .ended(breakOff)
        case .error(let error) where !isOver:
            isOver = true
            return .failed(error, midway: hasOutput)
        case .ended, .error: return nil
        default:
            // From the end back into it: it will end once more.
            isOver = false
            return nil
        }
    }
}

/// The turns of what is played, in their order.
extension PlaybackControl {
    /// The news of the machine's phase. A source that is prepared for later has none.
    mutating func newTurn() -> PlaybackNews.Turn? {
        draft == nil ? told.turn(machine.phase, breakOff: machine.breakOff, hasOutput: machine.hasOutput) : nil
    }
}

extension PublishedState {
    /// 256: a host that wants them leaves fewer lying, and one that does not want them does not pay for them.
    static let newsLimit = 256

    mutating func tell(_ turn: PlaybackNews.Turn) {
        let tagged = DisplayText.singleLine(snapshot.metadata.title ?? "", limit: 200)
        let artist = snapshot.activeVideoTrack == nil ? DisplayText.singleLine(snapshot.metadata.artist ?? "", limit: 80) : ""
        let title = tagged.isEmpty || artist.isEmpty ? tagged : "\(artist) – \(tagged)"
        news.append(PlaybackNews(load: load, advance: snapshot.advances, title: title, turn: turn))
        if news.count > PublishedState.newsLimit { news.removeFirst(news.count - PublishedState.newsLimit) }
    }
}
