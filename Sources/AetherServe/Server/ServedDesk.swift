import AetherCore

/// Answers requests out of a served source. Any thread; blocks while a segment is made.
struct ServedDesk: Sendable {
    let source: ServedSource
    /// The first part of every address; nil on this machine alone.
    let token: String?
    /// As browsers name this server.
    let hosts: Set<String>
    let time: any TimeSource

    /// A segment that takes longer has no source any more: a 4 s segment of a slow server comes within its own length.
    private static let patience = TimeSpan.seconds(30)

    func answer(_ request: ServedRequest) -> ServedAnswer {
        // A name of another host that leads here is a foreign page (DNS rebinding).
        guard hosts.contains(request.host) else { return ServedAnswer(status: 421) }
        guard let route = ServedRoute(request.path, token: token) else { return ServedAnswer(status: 404) }
        switch route {
        case .page: return ServedAnswer("text/html; charset=utf-8", text: PlayerPage.html(source.programme?.name ?? ""))
        case .script: return ServedAnswer("text/javascript; charset=utf-8", text: PlayerPage.script)
        default: break
        }
        guard let programme = source.programme else { return ServedAnswer(status: 503) }
        let companions = source.companions
        let playlists = ServedPlaylists(programme: programme, others: companions.map(\.programme))
        let deadline = time.now() + Self.patience
        switch route {
        case .page, .script: return ServedAnswer(status: 404)
        case .master: return ServedAnswer(Self.playlist, text: playlists.master)
        case .chapters: return ServedAnswer("application/json", text: playlists.chapters.line)
        case .playlist(let number):
            guard let (source, track) = place(of: number, companions) else { return ServedAnswer(status: 404) }
            let (plan, first) = source.plan(waitingUntil: deadline)
            return ServedAnswer(Self.playlist, text: playlists.media(track, plan, first: first))
        case .header(let number, let version):
            guard let (source, track) = place(of: number, companions),
                let bytes = source.header(track: track.number, version: version, deadline: deadline)
            else { return ServedAnswer(status: 404) }
            return ServedAnswer(200, "video/mp4", bytes)
        case .segment(let number, let segment):
            guard let (source, track) = place(of: number, companions) else { return ServedAnswer(status: 404) }
            return answer(source, track, segment, deadline)
        }
    }

    /// The source that has a track, and the track in that.
    private func place(of number: Int, _ companions: [ServedSource]) -> (ServedSource, ServedTrack)? {
        let (variant, number) = number.quotientAndRemainder(dividingBy: 100)
        guard variant <= companions.count else { return nil }
        let source = variant == 0 ? source : companions[variant - 1]
        return source.programme?.tracks.first { $0.number == number }.map { (source, $0) }
    }

    private static let playlist = "application/vnd.apple.mpegurl"

    private func answer(_ source: ServedSource, _ track: ServedTrack, _ number: Int, _ deadline: HostTime) -> ServedAnswer {
        switch source.segment(track: track.number, number: number, deadline: deadline) {
        case .success(let bytes): ServedAnswer(200, track.kind == .text ? "text/vtt; charset=utf-8" : "video/mp4", bytes)
        case .failure(.missing): ServedAnswer(status: 404)
        case .failure(.late): ServedAnswer(status: 503)
        case .failure(.failed): ServedAnswer(status: 500)
        }
    }
}
