import AetherCore
import AetherMedia

extension PlaybackControl {
    /// Another programme of the source is played from now on: what can be chosen is its own. Files of subtitles stay.
    mutating func enter(_ id: Int) {
        guard let session, let info = session.info, let title = info.titles.first(where: { $0.id == id }) else { return }
        let choice = session.choice(of: title, in: info)
        let video = machine.shape.hasVideo ? choice.video : nil
        session.select(title, of: info, video: video)
        if video == nil { sink.clear() }
        let external = subtitleTracks.filter { $0.id.origin == .external }
        subtitleTracks = info.tracks(.subtitle, of: title) + external
        let tracks = subtitleTracks
        publish { state in
            state.snapshot.enter(title, of: info)
            state.snapshot.subtitleTracks = tracks
            state.snapshot.show(video, of: info)
            state.snapshot.activeAudioTrack = choice.audio
        }
        let isKept = activeSubtitle.map { active in external.contains { $0.id == active } } ?? hasChosenSubtitle
        if !isKept { perform(.selectSubtitle(ownChoice(session.options))) }
        perform(.selectSecondarySubtitle(nil))
    }
}
