import AetherCore
import AetherMedia

extension EngineSnapshot {
    /// The fate of the objects of Dolby Atmos in the audio that plays; nil without such, or before a device was opened.
    public var atmosOutcome: AtmosOutcome? {
        guard let route = audioOutputRoute, route.device != nil else { return nil }
        return AtmosOutcome(audioTracks.first { $0.id == activeAudioTrack }, isBitstream: route.kind != .pcm)
    }

    /// Takes over what the container says.
    mutating func describe(_ info: SourceInfo, _ title: TitleInfo?) {
        container = info.container
        isSeekable = info.isSeekable
        metadata = info.metadata
        titles = info.titles.count > 1 ? info.titles : []
        enter(title, of: info)
        position = startTime
        show(TrackSelection.video(videoTracks), of: info)
        activeVideoTrack = nil
    }

    /// Takes over what belongs to a title; nil: to the whole source.
    mutating func enter(_ title: TitleInfo?, of info: SourceInfo) {
        activeTitle = titles.isEmpty ? nil : title?.id
        chapters = title?.chapters ?? info.chapters
        startTime = title?.startTime ?? info.startTime
        duration = title.map(\.duration) ?? info.duration
        videoTracks = info.tracks(.video, of: title)
        audioTracks = info.tracks(.audio, of: title)
        subtitleTracks = info.tracks(.subtitle, of: title)
    }

    /// Takes over the container's facts about the selected video.
    mutating func show(_ video: TrackID?, of info: SourceInfo?) {
        let stream = video.flatMap { id in info?.streams.first { $0.id == id.stream } }
        activeVideoTrack = video
        videoSize = stream?.size
        videoFrameRate = stream?.frameRate?.value
        sourceVideoFormat = stream?.videoFormat ?? .sdr
        sourceDVProfile = stream?.dolbyVision?.profile
        isTransparent = false
    }
}

extension SourceInfo {
    /// The tracks of one kind that can be decoded and are no cover images; of a title only, where one is given.
    func tracks(_ kind: TrackKind, of title: TitleInfo? = nil) -> [TrackInfo] {
        streams.compactMap { stream in
            guard let track = stream.track, track.kind == kind, !track.isAttachedPicture, stream.isDecodable,
                stream.enhancedStream == nil
            else { return nil }
            // A track that was added from another file belongs to every title.
            return track.id.source > 0 || title?.tracks.contains(track.id) ?? true ? track : nil
        }
    }

    /// The title to begin with: the one that is wanted, else the one that the file marks, else that of the video, or else of the audio,
    /// that would be chosen among all; nil where there is no choice.
    func firstTitle(wanted: Int?) -> TitleInfo? {
        if let title = titles.first(where: { $0.id == wanted }) { return title }
        if let title = titles.first(where: { $0.isDefault && !$0.isHidden }) { return title }
        let first = TrackSelection.video(tracks(.video)) ?? tracks(.audio).first?.id
        return titles.first { title in first.map { title.tracks.contains($0) } ?? false } ?? titles.first
    }

    /// The codec's name of a selected track.
    func codec(of track: TrackID?) -> String? {
        track.flatMap { id in streams.first { $0.id == id.stream }?.codecName }
    }
}
