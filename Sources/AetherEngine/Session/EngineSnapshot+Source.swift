import AetherCore
import AetherMedia

extension EngineSnapshot {
    /// Takes over what the container says.
    mutating func describe(_ info: SourceInfo) {
        container = info.container
        startTime = info.startTime
        position = info.startTime
        duration = info.duration
        isSeekable = info.isSeekable
        metadata = info.metadata
        chapters = info.chapters
        videoTracks = info.tracks(.video)
        audioTracks = info.tracks(.audio)
        subtitleTracks = info.tracks(.subtitle)
        show(TrackSelection.video(videoTracks), of: info)
        activeVideoTrack = nil
    }

    /// Takes over what the container says of the selected picture.
    mutating func show(_ video: TrackID?, of info: SourceInfo?) {
        let film = video.flatMap { id in info?.streams.first { $0.index == id.number } }
        activeVideoTrack = video
        videoSize = film?.size
        videoFrameRate = film?.frameRate?.value
        sourceVideoFormat = film?.videoFormat ?? .sdr
        sourceDVProfile = film?.dolbyVisionProfile
    }
}

extension SourceInfo {
    /// The tracks of one kind that can be decoded and are no cover pictures.
    func tracks(_ kind: TrackKind) -> [TrackInfo] {
        streams.compactMap { stream in
            guard let track = stream.track, track.kind == kind, !track.isAttachedPicture, stream.isDecodable else { return nil }
            return track
        }
    }

    /// The codec's name of a selected track.
    func codec(of track: TrackID?) -> String? {
        track.flatMap { id in streams.first { $0.index == id.number }?.codecName }
    }
}
