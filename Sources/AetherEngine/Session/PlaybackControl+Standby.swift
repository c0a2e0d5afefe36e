import AetherCore

/// Sources that are kept ready beside the one that is played.
extension PlaybackControl {
    /// Keeps these ready and no others. What is kept already goes on.
    mutating func keepReady(_ wanted: [(MediaSource, LoadOptions)]) {
        let wanted = wanted.prefix(Standby.limit)
        let (kept, left) = (
            standbys.filter { standby in wanted.contains { standby.serves($0.0, $0.1) } },
            standbys.filter { standby in !wanted.contains { standby.serves($0.0, $0.1) } }
        )
        standbys = kept
        for standby in left { end(standby.session) }
        for (source, options) in wanted {
            guard case .location(let location) = source, location != .standardInput,
                !standbys.contains(where: { $0.serves(source, options) })
            else { continue }
            lastToken += 1
            let post = post
            let session = PlaybackSession(
                token: lastToken, source: source, options: options, sink: sink, time: time, taps: taps, predecessor: nil,
                standsBy: true
            ) { token, event in
                post(.stage(token, event))
            }
            standbys.append(Standby(location, options, session))
        }
    }

    /// Whether the event was one of a source that is kept ready.
    mutating func takeStandby(_ token: Int, _ event: StageEvent) -> Bool {
        guard let index = standbys.firstIndex(where: { $0.session.token == token }) else { return false }
        if standbys[index].take(event) == .giveUp {
            let session = standbys.remove(at: index).session
            Self.log.info("\(session.name) is kept ready no longer")
            end(session)
        }
        return true
    }

    /// The session of a source that was kept ready, which is played from now on; nil for another source.
    mutating func takeUp(_ source: MediaSource, _ options: LoadOptions, after former: PlaybackSession?) -> PlaybackSession? {
        guard let index = standbys.firstIndex(where: { $0.serves(source, options) }) else { return nil }
        let standby = standbys.remove(at: index), session = standby.session
        token = session.token
        let start = session.takeUp(after: former), held = start.map { "packets from \($0) on are held" } ?? "nothing is held"
        Self.log.info("\(session.name) was kept ready: \(standby.description == nil ? "not open yet" : held)")
        // The load is complete before it hears of them.
        for event in standby.news(from: start) { post(.stage(token, event)) }
        return session
    }

    /// Ends all of them.
    mutating func dropStandbys() { keepReady([]) }
}
