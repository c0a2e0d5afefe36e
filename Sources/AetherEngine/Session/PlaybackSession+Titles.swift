import AetherCore
import AetherMedia

/// Which streams of a source are played: of one title, where it has several.
extension PlaybackSession {
    /// The video and the audio track that a title begins with; nil: of the whole source.
    func choice(of title: TitleInfo?, in info: SourceInfo) -> (video: TrackID?, audio: TrackID?) {
        let tracks = options.audioOutput == .none ? [] : info.tracks(.audio, of: title)
        // A person who has named an audio file beside the source wants to hear that file.
        let beside = info.isSegmented ? nil : tracks.first { $0.id.source > 0 }?.id
        let audio = beside ?? TrackSelection.audio(tracks, languages: options.audioLanguages)
        // A menu is there to be seen, and its buttons come with its frames.
        let isAlone = options.isAudioPreferred && audio != nil && !(menu.facts?.isMenu ?? false)
        return (isAlone ? nil : TrackSelection.video(info.tracks(.video, of: title)), audio)
    }

    /// Lets the pipeline take a title's streams and no other's: programs may count time differently. `video` nil: none.
    func select(_ title: TitleInfo?, of info: SourceInfo, video: TrackID?) {
        let audio = choice(of: title, in: info).audio, playsAudio = options.audioOutput != .none
        pipeline.change {
            $0.activeVideo = video?.stream
            $0.activeAudio = audio?.stream
            let kept = info.tracks(.audio, of: title).filter { !info.isSegmented || $0.id.source == 0 || $0.id == audio }
            if playsAudio { $0.audioTracks = Set(kept.compactMap(\.id.stream)) }
            // A rendition of subtitles is read while it is shown.
            $0.subtitleStreams = Set(
                info.tracks(.subtitle, of: title).compactMap(\.id.stream).filter { !info.isSegmented || $0.source == 0 })
        }
    }

    /// All titles as the machine needs them. Without a stage for video none of them shows any.
    func shapes(_ info: SourceInfo, showsVideo: Bool) -> [TitleShape] {
        info.titles.map { title in
            let (video, audio) = choice(of: title, in: info)
            return TitleShape(
                id: title.id, kind: title.kind, startTime: title.startTime, duration: title.duration,
                hasVideo: showsVideo && video != nil,
                hasAudio: audio != nil,
                videoStreams: showsVideo ? Set(info.tracks(.video, of: title).compactMap(\.id.stream)) : [],
                chapters: title.chapters ?? info.chapters, stretches: title.stretches)
        }
    }
}
